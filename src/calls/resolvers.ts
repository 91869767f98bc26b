import type { Caller } from '../auth/request.ts'
import { suggestedActionOf } from '../insights/insight.ts'
import type { CallLookup, CallSummary, LeadSummary, Resolvers } from '../server/graphql/generated.ts'
import type { LookedUpCall } from './lookup.ts'
import type { LeadRecord, PlatformCall } from './ports.ts'
import type { Disposition, DispositionReceipt } from './submit-disposition.ts'

export type CallUseCases = {
  readonly lookupCall: (caller: Caller, lookup: { phoneNumber: string }) => Promise<LookedUpCall>
  readonly submitDisposition: (caller: Caller, disposition: Disposition) => Promise<DispositionReceipt>
}

export function createCallResolvers({ lookupCall, submitDisposition }: CallUseCases): Resolvers {
  return {
    Query: {
      callLookup: async (_, { phoneNumber }, context) => lookupView(await lookupCall(await context.caller(), { phoneNumber })),
    },
    Mutation: {
      submitDisposition: async (_, { input }, context) => submitDisposition(await context.caller(), input),
    },
  }
}

function lookupView({ phoneNumber, candidates, lastCalls }: LookedUpCall): CallLookup {
  const [first, second] = candidates
  return {
    phoneNumber,
    match: !first ? 'NONE' : second ? 'MANY' : 'ONE',
    lead: first && !second ? leadView(first) : null,
    candidates: candidates.map(leadView),
    lastCalls: lastCalls.map(callView),
  }
}

function leadView({ id, name, status, source, phoneNumber, email, insight }: LeadRecord): LeadSummary {
  const suggested = insight && { ...insight, suggestedAction: suggestedActionOf(insight.suggestedAction) }
  return { id, name: name ?? 'Lead', status, source, phoneNumber, email, insight: suggested }
}

function callView(call: PlatformCall): CallSummary {
  const { id, ucid, direction, status, startedAt, endedAt, durationSeconds, disposition, notes, agentId, recordingUrl } = call
  return {
    id,
    ucid,
    direction,
    status,
    startedAt,
    endedAt,
    durationSeconds: durationSeconds === null ? null : Math.round(durationSeconds),
    disposition,
    notes,
    agentId,
    hasRecording: recordingUrl !== null,
  }
}
