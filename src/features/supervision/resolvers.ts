import type { Resolvers, Supervision } from '../../generated.ts'
import { followOverview } from './follow-overview.ts'
import type { Overview } from './overview.ts'
import { readOverview } from './read-overview.ts'
import type { SupervisionPorts } from './supervision-ports.ts'

export function supervisionResolvers(ports: SupervisionPorts): Resolvers {
  return {
    Query: {
      supervision: async (_root, _arguments, context) => supervisionOf(await readOverview(ports, await context.actor())),
    },
    Subscription: {
      supervisionUpdates: {
        async subscribe(_root, _arguments, context) {
          return updates(followOverview(ports, await context.actor(), context.signal))
        },
      },
    },
  }
}

async function* updates(overviews: AsyncIterable<Overview>): AsyncGenerator<{ readonly supervisionUpdates: Supervision }> {
  for await (const overview of overviews) yield { supervisionUpdates: supervisionOf(overview) }
}

function supervisionOf(overview: Overview): Supervision {
  return overview
}
