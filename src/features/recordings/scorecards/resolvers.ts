import type { Resolvers } from '../../../generated.ts'
import type { RecordingPorts } from '../recording-ports.ts'
import { correctScorecard } from './correct-scorecard.ts'
import { listScorecards } from './list-scorecards.ts'
import { readScorecard } from './read-scorecard.ts'
import { scorecardAgreement } from './scorecard-agreement.ts'

export function scorecardResolvers(ports: RecordingPorts): Resolvers {
  return {
    Scorecard: { id: ({ callId }) => callId },
    ScorecardAgreement: { id: () => 'agreement' },
    Query: {
      scorecard: async (_root, { callId }, context) => readScorecard(ports, await context.actor(), callId),
      scorecards: async (_root, list, context) => listScorecards(ports, await context.principal(), list),
      scorecardAgreement: async (_root, range, context) => scorecardAgreement(ports, await context.principal(), range),
    },
    Mutation: {
      correctScorecard: async (_root, { input }, context) => correctScorecard(ports, await context.actor(), input),
    },
  }
}
