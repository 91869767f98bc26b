import { z } from 'zod'
import { type AgentActivity, agentActivitySchema, type AgentState, agentStates } from '../../../ports/agent-activity.ts'

const agentCallSchema = z.object({
  ucid: z.string(),
  startedAt: z.iso.datetime(),
  /** Null until it is answered, and for an unanswered call. */
  answeredAt: z.iso.datetime().nullable(),
  /** Null while the call goes on. */
  endedAt: z.iso.datetime().nullable(),
  /** Nobody reported the end: a reported one replaces it. */
  isEndGuessed: z.boolean().optional(),
})
/** The part of a call that determines what its agent does. */
export type AgentCall = z.output<typeof agentCallSchema>

export const agentPresenceSchema = z.object({
  /** What was reported for the agent's last two moments, each state of a moment once. */
  activities: z.array(agentActivitySchema),
  /** The agent's last calls, by start. */
  calls: z.array(agentCallSchema).default([]),
  /** When the agent was reported free, by time. None is missing since the start of the oldest call in `calls`. */
  freeAt: z.array(z.iso.datetime()).default([]),
  /** Rises with every change. */
  revision: z.number().default(0),
})
/**
 * What we know of an agent's state. The provider's times are whole seconds, its webhooks come in any order, and a second report with the
 * same content and second is dropped as a repetition. So we store the reports with the agent's last calls and evaluate them together:
 * neither their order nor repetitions change the result.
 */
export type AgentPresence = z.output<typeof agentPresenceSchema>

export const emptyPresence: AgentPresence = { activities: [], calls: [], freeAt: [], revision: 0 }

const maxMoments = 2
/** Calls and free moments together: about the last fifteen calls. A report that is later than these changes no wrap-up. */
const maxEntries = 40

const working: ReadonlySet<AgentState> = new Set(['ON_CALL', 'WRAP_UP'])

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
  const freeAt = working.has(activity.state) ? presence.freeAt : [...new Set([...presence.freeAt, activity.since])].toSorted()
  return bounded({ ...presence, activities, freeAt })
}

/** The presence with what we know of one of the agent's calls. */
export function withCall(presence: AgentPresence, call: AgentCall): AgentPresence {
  const same = presence.calls.find(({ ucid }) => ucid === call.ucid)
  const others = presence.calls.filter(({ ucid }) => ucid !== call.ucid)
  return bounded({ ...presence, calls: [...others, same ? merged(call, same) : call].toSorted(byStart) })
}

function merged(call: AgentCall, known: AgentCall): AgentCall {
  const startedAt = call.startedAt < known.startedAt ? call.startedAt : known.startedAt
  return { ...call, startedAt, answeredAt: later(call.answeredAt, known.answeredAt), ...betterEnd(call, known) }
}

type End = Pick<AgentCall, 'endedAt' | 'isEndGuessed'>

function betterEnd(one: End, other: End): End {
  const isOneGuessed = one.isEndGuessed === true
  if (one.endedAt !== null && other.endedAt !== null && isOneGuessed !== (other.isEndGuessed === true)) {
    return { endedAt: isOneGuessed ? other.endedAt : one.endedAt, isEndGuessed: undefined }
  }
  const endedAt = later(one.endedAt, other.endedAt)
  return { endedAt, isEndGuessed: (endedAt === one.endedAt ? one : other).isEndGuessed }
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

/** Calls and free moments are cut at the same time, so that no free moment after a call in the list is missing. */
function bounded(presence: AgentPresence): AgentPresence {
  const { calls, freeAt } = presence
  const oldest = [...calls.map(({ startedAt }) => startedAt), ...freeAt].toSorted().at(-maxEntries) ?? ''
  return { ...presence, calls: calls.filter(({ startedAt }) => startedAt >= oldest), freeAt: freeAt.filter((at) => at >= oldest) }
}

/** The agent's call that began last; null if none is known. */
export function lastCallOf({ calls }: AgentPresence): AgentCall | null {
  return calls.at(-1) ?? null
}

/** `at`: when the wrap-up after the call ended; null if that is unknown. */
export type WrapUpEnd = { readonly ucid: string; readonly at: string | null }

/** The wrap-ups that a report about this moment may change: those of the last two calls that ended until then. */
export function wrapUpEnds(presence: AgentPresence, moment: string): readonly WrapUpEnd[] {
  const ended = presence.calls.flatMap(({ ucid, endedAt }) => (endedAt !== null && endedAt <= moment ? [{ ucid, endedAt }] : []))
  const last = ended.toSorted((one, other) => (one.endedAt < other.endedAt ? -1 : 1)).slice(-2)
  return last.map(({ ucid, endedAt }) => ({ ucid, at: wrapUpEnd(presence, ucid, endedAt) }))
}

/**
 * The first free moment after the call, unless it follows another call. A call may wait in a queue while its agent is on another one, so
 * its start tells nothing about the agent.
 */
function wrapUpEnd({ calls, freeAt }: AgentPresence, ucid: string, endedAt: string): string | null {
  const free = freeAt.find((at) => at >= endedAt) ?? null
  if (free === null) return null
  const busy = calls.flatMap((other) => (other.ucid === ucid ? [] : [other.answeredAt ?? other.endedAt ?? '']))
  return busy.some((at) => at >= endedAt && at < free) ? null : free
}

/** Whether the agent was free after the call, or began another one. False while the call goes on. */
export function hasLeftCall(presence: AgentPresence, { ucid, endedAt }: Pick<AgentCall, 'ucid' | 'endedAt'>): boolean {
  if (endedAt === null) return false
  // The provider's times are whole seconds: within the second of the call's end, the agent's last state decides.
  const activity = currentActivity(presence)?.activity
  const isFree = activity !== undefined && !working.has(activity.state) && activity.since >= endedAt
  const isLater = (at: string | null): boolean => at !== null && at > endedAt
  return isFree || presence.freeAt.some(isLater) || presence.calls.some((other) => other.ucid !== ucid && isLater(other.startedAt))
}

export type CurrentActivity = {
  readonly activity: AgentActivity
  /** Whether it follows from the end of the agent's call rather than from a report about the agent. */
  readonly impliedByCall: boolean
}

/** What the agent does now; null if nothing was reported. */
export function currentActivity(presence: AgentPresence): CurrentActivity | null {
  const { activities } = presence
  const lastCall = lastCallOf(presence)
  const [former, newest] = momentsOf(activities)
  const before = former.length === 0 ? null : lastOf(former, null)
  const activity = newest.length === 0 ? null : lastOf(newest, before)
  if (!activity) return null
  if (activity.state !== 'ON_CALL' || !lastCall?.endedAt || lastCall.endedAt < activity.since) return { activity, impliedByCall: false }
  const since = lastCall.endedAt
  if (lastCall.answeredAt !== null) return { activity: { ...activity, state: 'WRAP_UP', reason: null, since }, impliedByCall: true }
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
