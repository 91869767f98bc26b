import type { Resolvers } from '../../generated.ts'
import { followOverview } from './follow-overview.ts'
import type { Overview } from './overview.ts'
import { readOverview } from './read-overview.ts'
import type { SupervisionPorts } from './supervision-ports.ts'

export function supervisionResolvers(ports: SupervisionPorts): Resolvers {
  return {
    ...ids,
    Query: {
      supervision: async (_root, _arguments, context) => readOverview(ports, await context.actor()),
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

async function* updates(overviews: AsyncIterable<Overview>): AsyncGenerator<{ readonly supervisionUpdates: Overview }> {
  for await (const overview of overviews) yield { supervisionUpdates: overview }
}

const ids: Resolvers = {
  Supervision: { id: () => 'supervision' },
  CallsNow: { id: () => 'supervision' },
  MissedWaiting: { id: () => 'supervision' },
  UnknownCallers: { id: () => 'supervision' },
  SupervisedAgent: { id: ({ agentId }) => agentId },
  SupervisedCall: { id: ({ ucid }) => ucid },
  FreeSlots: { id: ({ doctorId }) => doctorId },
  CallsToday: {
    id: ({ date }) => date,
    total: ({ date, total }) => ({ ...total, id: date }),
    byAgent: ({ date, byAgent }) => byAgent.map((row) => withCountsId(row, [date, 'agent', row.agentId])),
    byCampaign: ({ date, byCampaign }) => byCampaign.map((row) => withCountsId(row, [date, 'campaign', row.campaignName])),
    byDisposition: ({ date, byDisposition }) => byDisposition.map((row) => withCountsId(row, [date, 'disposition', row.disposition])),
    byHour: ({ date, byHour }) => byHour.map((row) => withCountsId(row, [date, 'hour', row.hour])),
  },
}

/** The id of a group's counts, for a client's cache: the day, what the group is, and which. */
function withCountsId<Row extends { readonly counts: object }>(row: Row, parts: readonly (string | number | null)[]): Row {
  return { ...row, counts: { ...row.counts, id: parts.join(':') } }
}
