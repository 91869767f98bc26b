import { z } from 'zod'
import { type AgentActivity, agentActivitySchema, type AgentState, agentStates } from '../../ports/agent-activity.ts'

const agentCallSchema = z.object({
  ucid: z.string(),
  startedAt: z.iso.datetime(),
  /** Null while it goes on. */
  endedAt: z.iso.datetime().nullable(),
  answered: z.boolean(),
})
/** A call as far as it tells what its agent does. */
export type AgentCall = z.output<typeof agentCallSchema>

export const agentPresenceSchema = z.object({
  /** What was heard of the agent's last two moments, each state of a moment once. */
  heard: z.array(agentActivitySchema),
  /** The agent's call that began last. */
  lastCall: agentCallSchema.nullable(),
  /** Those before it, the one that began last at the end: what is heard late of an agent may be of one of them. */
  formerCalls: z.array(agentCallSchema).default([]),
})
/**
 * What is known of where an agent stands. The provider's moments are whole seconds, its callbacks come in any order, and one that says the
 * same as another of the same second is taken for a repetition. So what was heard is kept and weighed as a whole, together with the
 * agent's last call: it does not matter in what order it is put together, or how often.
 */
export type AgentPresence = z.output<typeof agentPresenceSchema>

export const nothingReceived: AgentPresence = { heard: [], lastCall: null, formerCalls: [] }

const momentsKept = 2
const callsKept = 3

/** With one more thing heard of the agent. */
export function withActivity(presence: AgentPresence, activity: AgentActivity): AgentPresence {
  const all = [...presence.heard, activity]
  const moments = [...new Set(all.map(({ since }) => since))].toSorted().slice(-momentsKept)
  const heard = moments.flatMap((moment) =>
    agentStates.flatMap((state) => {
      const same = all.filter((each) => each.since === moment && each.state === state)
      const latest = same.toSorted(byHearing).at(-1)
      return latest ? [latest] : []
    }),
  )
  return { ...presence, heard }
}

/** With what is known of one of the agent's calls. */
export function withCall(presence: AgentPresence, call: AgentCall): AgentPresence {
  const known = callsOf(presence)
  const same = known.find(({ ucid }) => ucid === call.ucid)
  const others = known.filter(({ ucid }) => ucid !== call.ucid)
  const calls = [...others, same ? joined(call, same) : call].toSorted(byBeginning).slice(-callsKept)
  return { ...presence, lastCall: calls.at(-1) ?? null, formerCalls: calls.slice(0, -1) }
}

function joined(call: AgentCall, known: AgentCall): AgentCall {
  const startedAt = call.startedAt < known.startedAt ? call.startedAt : known.startedAt
  const ends = [call.endedAt, known.endedAt].filter((end) => end !== null)
  return { ...call, startedAt, endedAt: ends.toSorted().at(-1) ?? null, answered: call.answered || known.answered }
}

function callsOf({ lastCall, formerCalls }: AgentPresence): readonly AgentCall[] {
  return lastCall ? [...formerCalls, lastCall] : formerCalls
}

/** The agent's call that a moment follows: the last that began before it; null where none is known. */
export function callBefore(presence: AgentPresence, at: string): AgentCall | null {
  return callsOf(presence).findLast(({ startedAt }) => startedAt < at) ?? null
}

export type Standing = {
  readonly activity: AgentActivity
  /** Whether it follows from the end of the agent's call rather than from what the provider said of the agent. */
  readonly byCall: boolean
}

/** Where the agent stands; null where nothing was heard. */
export function standingOf({ heard, lastCall }: AgentPresence): Standing | null {
  const [former, newest] = momentsOf(heard)
  const before = former.length === 0 ? null : lastOf(former, null)
  const activity = newest.length === 0 ? null : lastOf(newest, before)
  if (!activity) return null
  if (activity.state !== 'ON_CALL' || !lastCall?.endedAt || lastCall.endedAt < activity.since) return { activity, byCall: false }
  const since = lastCall.endedAt
  if (lastCall.answered) return { activity: { ...activity, state: 'WRAP_UP', reason: null, since }, byCall: true }
  const otherwise =
    newest
      .filter(({ state }) => state !== 'ON_CALL')
      .toSorted(byHearing)
      .at(-1) ?? before
  const { state, reason } = otherwise && otherwise.state !== 'ON_CALL' ? otherwise : ({ state: 'READY', reason: null } as const)
  return { activity: { ...activity, state, reason, since }, byCall: true }
}

function momentsOf(heard: readonly AgentActivity[]): readonly [former: readonly AgentActivity[], newest: readonly AgentActivity[]] {
  const newest = heard.at(-1)?.since
  return [heard.filter(({ since }) => since !== newest), heard.filter(({ since }) => since === newest)]
}

const working: ReadonlySet<AgentState> = new Set(['ON_CALL', 'WRAP_UP'])

/**
 * The last of one second: a wrap-up follows its call; after a call that began earlier, what is heard of a free agent follows the wrap-up;
 * else as it was heard.
 */
function lastOf(second: readonly AgentActivity[], before: AgentActivity | null): AgentActivity | null {
  const states = new Set(second.map(({ state }) => state))
  const wrappedUp = states.has('WRAP_UP')
  const wasWorking = before !== null && working.has(before.state)
  const isFreed = wrappedUp && wasWorking && !states.has('ON_CALL') && second.some(({ state }) => !working.has(state))
  const candidates = second.filter(({ state }) => !(wrappedUp && state === 'ON_CALL') && !(isFreed && state === 'WRAP_UP'))
  return candidates.toSorted(byHearing).at(-1) ?? null
}

/** A total order over different activities of one moment. */
function byHearing(one: AgentActivity, other: AgentActivity): number {
  if (one.receivedAt !== other.receivedAt) return one.receivedAt - other.receivedAt
  const byState = agentStates.indexOf(one.state) - agentStates.indexOf(other.state)
  return byState === 0 ? String(one.reason).localeCompare(String(other.reason)) : byState
}

function byBeginning(one: AgentCall, other: AgentCall): number {
  if (one.startedAt !== other.startedAt) return one.startedAt < other.startedAt ? -1 : 1
  return one.ucid < other.ucid ? -1 : 1
}
