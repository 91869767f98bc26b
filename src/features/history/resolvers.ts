import type { Resolvers } from '../../generated.ts'
import { directionOf } from '../calls/state/facts-of-record.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import { listHistoryCalls } from './list-history-calls.ts'
import { readAgentTimeline } from './read-agent-timeline.ts'
import { readHistory } from './read-history.ts'

export function historyResolvers(ports: SupervisionPorts): Resolvers {
  return {
    Query: {
      history: async (_root, input, context) => readHistory(ports, await context.actor(), input),
      agentTimeline: async (_root, input, context) => readAgentTimeline(ports, await context.actor(), input),
      historyCalls: async (_root, input, context) => listHistoryCalls(ports, await context.actor(), input),
    },
    AgentTimeline: { id: ({ agentId, date }) => `${agentId}:${date}` },
    HistoryCall: {
      direction: ({ direction }) => directionOf(direction),
      durationSeconds: ({ durationSeconds }) => (durationSeconds === null ? null : Math.round(durationSeconds)),
      hasRecording: ({ recordingUrl }) => recordingUrl !== null,
    },
  }
}
