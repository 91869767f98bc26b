import type { Resolvers } from '../../generated.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { asPerson } from '../../ports/record-access.ts'
import { confirmNotices, readNotices } from '../sessions/agent-notices.ts'
import { readCallNotes, saveCallNotes } from './state/call-notes.ts'
import { possibleActions } from './state/call-provider.ts'
import type { CallPorts } from './state/call-ports.ts'
import { readControls } from './state/call-state-store.ts'
import { changeAgentState } from './agent-state/change-agent-state.ts'
import { controlCall } from './control/control-call.ts'
import { dial } from './dialling/dial.ts'
import { enrichCall } from './screen-pop/enrich-call.ts'
import { numberToCall } from './state/number-to-call.ts'
import { directionOf } from './state/facts-of-record.ts'
import { followAgentStates } from './streams/follow-agent-states.ts'
import { followCalls } from './streams/follow-calls.ts'
import { followNotices } from './streams/follow-notices.ts'
import { readLiveEvents } from './live-events/read-live-events.ts'
import { type LookedUpCall, lookUpCall } from './screen-pop/look-up-call.ts'
import { listMissedCalls } from './missed-calls/missed-call-store.ts'
import { readCallSettings } from './agent-state/read-call-settings.ts'
import { readCurrentCall } from './screen-pop/read-current-call.ts'
import { rotateWebhookKey } from './webhooks/rotate-webhook-key.ts'
import { type PresentAgent, setAgentState } from './agent-state/set-agent-state.ts'
import { submitDisposition } from './dispositions/submit-disposition.ts'
import { cancelTransfer } from './transfer/cancel-transfer.ts'
import { completeTransfer } from './transfer/complete-transfer.ts'
import { startTransfer } from './transfer/start-transfer.ts'
import { readTransfer } from './outcomes/transfer-state.ts'
import { listWebhookKeys } from './webhook-store/webhook-keys.ts'
import { entryIdOf } from './worklist-entries/entry-store.ts'
import { webhookLogResolvers } from './webhooks/resolvers.ts'
import { worklistResolvers } from './worklist/resolvers.ts'

export function callResolvers(ports: CallPorts): Resolvers {
  const worklist = worklistResolvers(ports)
  const webhookLog = webhookLogResolvers(ports)
  return {
    ...fields(ports),
    ...webhookLog.types,
    Query: { ...queries(ports), ...worklist.queries, ...webhookLog.queries },
    Mutation: { ...mutations(ports), ...worklist.mutations, ...webhookLog.mutations },
    Subscription: { ...subscriptions(ports), ...worklist.subscriptions },
  }
}

function queries(ports: CallPorts): NonNullable<Resolvers['Query']> {
  return {
    callLookup: async (_, question, context) => lookUpCall(ports, await context.actor(), question),
    currentCall: async (_, _arguments, context) => readCurrentCall(ports, await context.actor()),
    async leadSummaries(_, { ids }, context) {
      const { principal, accessToken } = await context.actor()
      return [...(await ports.leadRecords.byIds(asPerson(principal.workspaceId, accessToken), ids))]
    },
    callSettings: async (_, _arguments, context) => readCallSettings(ports, (await context.principal()).workspaceId),
    missedCalls: async (_, page, context) => listMissedCalls(ports, (await context.principal()).workspaceId, page),
    async webhookKeys(_, _arguments, context) {
      const { workspaceId } = await context.principal()
      return listWebhookKeys(ports, workspaceId, ports.webhookProviders)
    },
    agentNotices: async (_, _arguments, context) => [...(await readNotices(ports, await context.principal()))],
    liveEvents: async (_, _arguments, context) => readLiveEvents(ports, (await context.principal()).workspaceId),
  }
}

function mutations(ports: CallPorts): NonNullable<Resolvers['Mutation']> {
  return {
    dial: async (_, { input }, context) => dial(ports, await context.actor(), input),
    controlCall: async (_, { input }, context) => controlCall(ports, await context.actor(), input),
    startTransfer: async (_, { input }, context) => startTransfer(ports, await context.actor(), input),
    completeTransfer: async (_, { ucid }, context) => completeTransfer(ports, await context.actor(), ucid),
    cancelTransfer: async (_, { ucid }, context) => cancelTransfer(ports, await context.actor(), ucid),
    setAgentState: async (_, { input }, context) => presenceOf(await setAgentState(ports, await context.actor(), input)),
    saveCallNotes: async (_, notes, context) => ({ id: notes.ucid, ...(await saveCallNotes(ports, await context.actor(), notes)) }),
    changeAgentState: async (_, { agentId, input, message }, context) =>
      presenceOf(await changeAgentState(ports, await context.actor(), { agentId, ...input, message })),
    confirmAgentNotices: async (_, { ids }, context) => [...(await confirmNotices(ports, await context.principal(), ids))],
    submitDisposition: async (_, { input }, context) => submitDisposition(ports, await context.actor(), input),
    rotateWebhookKey: async (_, { provider }, context) => rotateWebhookKey(ports, await context.actor(), provider),
  }
}

function subscriptions(ports: CallPorts): NonNullable<Resolvers['Subscription']> {
  return {
    callEvents: {
      async subscribe(_, _arguments, context) {
        return mapped(await followCalls(ports, await context.actor(), context.signal), (callEvents) => ({ callEvents }))
      },
    },
    agentNoticeEvents: {
      async subscribe(_, _arguments, context) {
        return mapped(followNotices(ports, await context.actor(), context.signal), (agentNoticeEvents) => ({ agentNoticeEvents }))
      },
    },
    agentStates: {
      async subscribe(_, _arguments, context) {
        const states = await followAgentStates(ports, await context.actor(), context.signal)
        return mapped(states, ({ recordId, providerAgentId, activity: { state, reason, since } }) => ({
          agentStates: { agentId: recordId, providerAgentId, state, reason, since },
        }))
      },
    },
  }
}

async function* mapped<From, To>(items: AsyncIterable<From>, map: (item: From) => To): AsyncGenerator<To> {
  for await (const item of items) yield map(item)
}

type Fields = Omit<Resolvers, 'Query' | 'Mutation' | 'Subscription'>

function fields(ports: CallPorts): Fields {
  return {
    CallLookup: {
      id: lookUpId,
      match: ({ candidates }) => matches[Math.min(candidates.length, 2)] ?? 'MANY',
      nextVisit: ({ nextVisit }) => nextVisit && { ...nextVisit, slotId: nextVisit.id },
      unavailable: ({ unavailable }) => [...unavailable],
      async draftNotes({ call }, _arguments, context) {
        const draft = call && (await readCallNotes(ports, await context.principal(), call.ucid))
        return draft && { id: draft.ucid, ...draft }
      },
      enrichment: async (call, _arguments, context) => ({ id: lookUpId(call), ...(await enrichCall(ports, await context.actor(), call)) }),
    },
    LeadSummary: {
      name: ({ name }) => name ?? 'Lead',
      matchedBy: ({ matchedBy }) => matchedBy ?? null,
    },
    CallSummary: {
      direction: ({ direction }) => directionOf(direction),
      durationSeconds: ({ durationSeconds }) => (durationSeconds === null ? null : Math.round(durationSeconds)),
      hasRecording: ({ recordingUrl }) => recordingUrl !== null,
    },
    LiveCall: {
      id: ({ ucid }) => ucid,
      agentId: ({ agentRecordId }) => agentRecordId,
      providerAgentId: ({ agentId }) => agentId,
      talkSeconds: ({ talkSeconds }) => (talkSeconds === null ? null : Math.round(talkSeconds)),
      actions: async (call, _arguments, context) => possibleActions(ports, (await context.principal()).workspaceId, call),
      controls: async ({ ucid }, _arguments, context) => ({
        id: ucid,
        ...(await readControls(ports, { workspaceId: (await context.principal()).workspaceId, ucid })),
      }),
      async transfer(call, _arguments, context) {
        const transfer = await readTransfer(ports, (await context.principal()).workspaceId, call)
        return transfer && { id: call.ucid, ...transfer }
      },
    },
    CallEvent: { id: ({ call }) => call.ucid },
    CallSettings: { id: () => 'callSettings' },
    MissedCall: {
      id: ({ ucid }) => ucid,
      async worklistEntryId(call, _arguments, context) {
        const number = numberToCall(call)
        return number === null ? null : entryIdOf((await context.principal()).workspaceId, number)
      },
    },
    AgentPresence: { id: ({ providerAgentId }) => providerAgentId },
    WorklistChange: { id: ({ entry }) => entry.id },
    WebhookKey: { id: ({ provider }) => provider },
    LiveEvents: { id: () => 'liveEvents' },
    CallEnrichment: {
      reason: (enrichment) => (enrichment.available ? null : enrichment.reason),
      whoIsThis: (enrichment) => (enrichment.available ? enrichment.whoIsThis : null),
      likelyReason: (enrichment) => (enrichment.available ? enrichment.likelyReason : null),
      suggestedOpening: (enrichment) => (enrichment.available ? enrichment.suggestedOpening : null),
    },
  }
}

function lookUpId({ call, ...numbers }: LookedUpCall): string {
  return call?.ucid ?? numberToCall(numbers) ?? ''
}

const matches = ['NONE', 'ONE', 'MANY'] as const

function presenceOf({ agentId, providerAgentId, activity }: PresentAgent) {
  const { state, reason, since } = activity
  return { agentId, providerAgentId, state, reason, since: isoMoment(Date.parse(since)) }
}
