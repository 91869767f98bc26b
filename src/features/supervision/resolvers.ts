import type { Resolvers, Supervision as SupervisionAnswer } from '../../generated.ts'
import type { Overview } from './overview.ts'
import type { Supervision } from './supervision.ts'

export function createSupervisionResolvers({ read, follow }: Pick<Supervision, 'read' | 'follow'>): Resolvers {
  return {
    Query: {
      supervision: async (_root, _arguments, context) => answerOf(await read((await context.principal()).workspaceId)),
    },
    Subscription: {
      supervisionUpdates: {
        async subscribe(_root, _arguments, context) {
          return answers(follow(await context.actor(), context.signal))
        },
      },
    },
  }
}

async function* answers(overviews: AsyncIterable<Overview>): AsyncGenerator<{ readonly supervisionUpdates: SupervisionAnswer }> {
  for await (const overview of overviews) yield { supervisionUpdates: answerOf(overview) }
}

function answerOf(overview: Overview): SupervisionAnswer {
  return overview
}
