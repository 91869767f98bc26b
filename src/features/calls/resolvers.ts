import { isoMoment } from '../../kernel/clock.ts'
import { pageSize, parseInput } from '../../kernel/input.ts'
import type { AgentPresence, Resolvers } from '../../generated.ts'
import type { Calls } from './calls.ts'
import type { PresentAgent } from './set-agent-state.ts'

/** Questions, commands, and the fields that are worked out when they are asked for. */
export function createCallResolvers(calls: Calls): Resolvers {
  return {
    ...createFields(calls),
    Query: createQueries(calls),
    Mutation: createMutations(calls),
    Subscription: createSubscriptions(calls),
  }
}

function createQueries(calls: Calls): NonNullable<Resolvers['Query']> {
  return {
    callLookup: async (_, question, context) => calls.lookup(await context.actor(), question),
    currentCall: async (_, _arguments, context) => calls.current(await context.actor()),
    async missedCalls(_, { first, waitingOnly }, context) {
      const { workspaceId } = await context.principal()
      return calls.missed.list(workspaceId, { first: parseInput(pageSize(200), first, 'first'), waitingOnly })
    },
    async webhookKeys(_, _arguments, context) {
      const { workspaceId } = await context.principal()
      return calls.listCallbackKeys(workspaceId)
    },
  }
}

function createMutations(calls: Calls): NonNullable<Resolvers['Mutation']> {
  return {
    dial: async (_, { input }, context) => calls.dial(await context.actor(), input),
    controlCall: async (_, { input }, context) => calls.control(await context.actor(), input),
    setAgentState: async (_, { input }, context) => presenceOf(await calls.setAgentState(await context.actor(), input)),
    submitDisposition: async (_, { input }, context) => calls.submitDisposition(await context.actor(), input),
    async rotateWebhookKey(_, { provider }, context) {
      return calls.rotateCallbackKey({ manager: await context.principal(), ip: context.clientAddress }, provider)
    },
  }
}

function createSubscriptions(calls: Calls): NonNullable<Resolvers['Subscription']> {
  return {
    callEvents: {
      async subscribe(_, _arguments, context) {
        const events = await calls.callEvents(await context.actor(), context.signal)
        return mapped(events, async (callEvents) => ({ callEvents }))
      },
    },
    agentStates: {
      async subscribe(_, _arguments, context) {
        const caller = await context.actor()
        const states = await calls.agentStates(caller, context.signal)
        return mapped(states, async ({ providerAgentId, activity: { state, reason, since } }) => {
          const agentId = await calls.agentRecordId(caller, providerAgentId)
          return { agentStates: { agentId, providerAgentId, state, reason, since } }
        })
      },
    },
  }
}

async function* mapped<From, To>(items: AsyncIterable<From>, map: (item: From) => Promise<To>): AsyncGenerator<To> {
  for await (const item of items) yield await map(item)
}

type Fields = Pick<Resolvers, 'CallLookup' | 'LeadSummary' | 'CallSummary' | 'LiveCall' | 'CallEnrichment'>

function createFields(calls: Calls): Fields {
  return {
    CallLookup: {
      match: ({ candidates }) => matches[Math.min(candidates.length, 2)] ?? 'MANY',
      nextVisit: ({ nextVisit }) => nextVisit && { ...nextVisit, slotId: nextVisit.id },
      unavailable: ({ unavailable }) => [...unavailable],
      enrichment: async (call, _arguments, context) => calls.enrich(await context.actor(), call),
    },
    LeadSummary: {
      name: ({ name }) => name ?? 'Lead',
      matchedBy: ({ matchedBy }) => matchedBy ?? null,
    },
    CallSummary: {
      durationSeconds: ({ durationSeconds }) => (durationSeconds === null ? null : Math.round(durationSeconds)),
      hasRecording: ({ recordingUrl }) => recordingUrl !== null,
    },
    LiveCall: {
      agentId: ({ agentRecordId }) => agentRecordId,
      providerAgentId: ({ agentId }) => agentId,
      talkSeconds: ({ talkSeconds }) => (talkSeconds === null ? null : Math.round(talkSeconds)),
      controls: async ({ ucid }, _arguments, context) => calls.controlsOf((await context.principal()).workspaceId, ucid),
    },
    CallEnrichment: {
      reason: (enrichment) => (enrichment.available ? null : enrichment.reason),
      whoIsThis: (enrichment) => (enrichment.available ? enrichment.whoIsThis : null),
      likelyReason: (enrichment) => (enrichment.available ? enrichment.likelyReason : null),
      suggestedOpening: (enrichment) => (enrichment.available ? enrichment.suggestedOpening : null),
    },
  }
}

const matches = ['NONE', 'ONE', 'MANY'] as const

function presenceOf({ agent, activity }: PresentAgent): AgentPresence {
  const { state, reason, since } = activity
  return { agentId: agent.id, providerAgentId: agent.providerAgentId, state, reason, since: isoMoment(Date.parse(since)) }
}
