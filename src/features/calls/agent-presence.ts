import { z } from 'zod'
import { type AgentActivity, agentActivitySchema, type AgentState, agentStates } from '../../ports/agent-activity.ts'

const agentCallSchema = z.object({
  ucid: z.string(),
  startedAt: z.iso.datetime(),
  /** Null while the call goes on. */
  endedAt: z.iso.datetime().nullable(),
  answered: z.boolean(),
})
/** The part of a call that determines what its agent does. */
export type AgentCall = z.output<typeof agentCallSchema>

export const agentPresenceSchema = z.object({
  /** What was reported for the agent's last two moments, each state of a moment once. */
  activities: z.array(agentActivitySchema),
  /** The agent's call that began last. */
  lastCall: agentCallSchema.nullable(),
  /** The calls before it, in the order of their beginning: a late report may belong to one of them. */
  formerCalls: z.array(agentCallSchema).default([]),
})
/**
 * What we know of an agent's state. The provider's times are whole seconds, its webhooks come in any order, and a second report with the
 * same content and second is dropped as a repetition. So we store the reports with the agent's last calls and evaluate them together:
 * neither their order nor repetitions change the result.
 */
export type AgentPresence = z.output<typeof agentPresenceSchema>

export const emptyPresence: AgentPresence = { activities: [], lastCall: null, formerCalls: [] }

const maxMoments = 2
const maxCalls = 3

/** The presence with one more reported activity. */
export function withActivity(presence: AgentPresence, activity: AgentActivity): AgentPresence {
  const all = [...presence.activities, activity]
  const moments = [...new Set(all.map(({ since }) => since))].toSorted().slice(-maxMoments)
  const activities = moments.flatMap((moment) =>
    agentStates.flatMap((state) => {
      const same = all.filter((each) => each.since === moment && each.state === state)
      const latest = same.toSorted(byReceipt).at(-1)
      return latest ? [latest] : []
    }),
  )
  return { ...presence, activities }
}

/** The presence with what we know of one of the agent's calls. */
export function withCall(presence: AgentPresence, call: AgentCall): AgentPresence {
  const known = callsOf(presence)
  const same = known.find(({ ucid }) => ucid === call.ucid)
  const others = known.filter(({ ucid }) => ucid !== call.ucid)
  const calls = [...others, same ? merged(call, same) : call].toSorted(byStart).slice(-maxCalls)
  return { ...presence, lastCall: calls.at(-1) ?? null, formerCalls: calls.slice(0, -1) }
}

function merged(call: AgentCall, known: AgentCall): AgentCall {
  const startedAt = call.startedAt < known.startedAt ? call.startedAt : known.startedAt
  const ends = [call.endedAt, known.endedAt].filter((end) => end !== null)
  return { ...call, startedAt, endedAt: ends.toSorted().at(-1) ?? null, answered: call.answered || known.answered }
}

function callsOf({ lastCall, formerCalls }: AgentPresence): readonly AgentCall[] {
  return lastCall ? [...formerCalls, lastCall] : formerCalls
}

/** The agent's last call that began before this time; null if none is known. */
export function callBefore(presence: AgentPresence, at: string): AgentCall | null {
  return callsOf(presence).findLast(({ startedAt }) => startedAt < at) ?? null
}

export type CurrentActivity = {
  readonly activity: AgentActivity
  /** Whether it follows from the end of the agent's call rather than from a report about the agent. */
  readonly impliedByCall: boolean
}

/** What the agent does now; null if nothing was reported. */
export function currentActivity({ activities, lastCall }: AgentPresence): CurrentActivity | null {
  const [former, newest] = momentsOf(activities)
  const before = former.length === 0 ? null : lastOf(former, null)
  const activity = newest.length === 0 ? null : lastOf(newest, before)
  if (!activity) return null
  if (activity.state !== 'ON_CALL' || !lastCall?.endedAt || lastCall.endedAt < activity.since) return { activity, impliedByCall: false }
  const since = lastCall.endedAt
  if (lastCall.answered) return { activity: { ...activity, state: 'WRAP_UP', reason: null, since }, impliedByCall: true }
  const otherwise =
    newest
      .filter(({ state }) => state !== 'ON_CALL')
      .toSorted(byReceipt)
      .at(-1) ?? before
  const { state, reason } = otherwise && otherwise.state !== 'ON_CALL' ? otherwise : ({ state: 'READY', reason: null } as const)
  return { activity: { ...activity, state, reason, since }, impliedByCall: true }
}

function momentsOf(activities: readonly AgentActivity[]): readonly [former: readonly AgentActivity[], newest: readonly AgentActivity[]] {
  const newest = activities.at(-1)?.since
  return [activities.filter(({ since }) => since !== newest), activities.filter(({ since }) => since === newest)]
}

const working: ReadonlySet<AgentState> = new Set(['ON_CALL', 'WRAP_UP'])

/**
 * The last activity of one second. A wrap-up follows its call. After a call that began earlier, a free state follows the wrap-up.
 * Otherwise the order of receipt decides.
 */
function lastOf(second: readonly AgentActivity[], before: AgentActivity | null): AgentActivity | null {
  const states = new Set(second.map(({ state }) => state))
  const wrappedUp = states.has('WRAP_UP')
  const wasWorking = before !== null && working.has(before.state)
  const isFreed = wrappedUp && wasWorking && !states.has('ON_CALL') && second.some(({ state }) => !working.has(state))
  const candidates = second.filter(({ state }) => !(wrappedUp && state === 'ON_CALL') && !(isFreed && state === 'WRAP_UP'))
  return candidates.toSorted(byReceipt).at(-1) ?? null
}

/** A total order over different activities of one moment. */
function byReceipt(one: AgentActivity, other: AgentActivity): number {
  if (one.receivedAt !== other.receivedAt) return one.receivedAt - other.receivedAt
  const byState = agentStates.indexOf(one.state) - agentStates.indexOf(other.state)
  return byState === 0 ? String(one.reason).localeCompare(String(other.reason)) : byState
}

function byStart(one: AgentCall, other: AgentCall): number {
  if (one.startedAt !== other.startedAt) return one.startedAt < other.startedAt ? -1 : 1
  return one.ucid < other.ucid ? -1 : 1
}
