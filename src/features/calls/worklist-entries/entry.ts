import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'

/**
 * One person to call back: everything that is known about them in one value, so that every change is one compare-and-set. Pure functions.
 * Times are ISO 8601 in UTC, so they compare as texts.
 */

const moment = z.string()
const missedSchema = z.object({ ucid: z.string(), at: moment })
const callbackSchema = z.object({
  /** The call with whose disposition it was scheduled. */
  ucid: z.string(),
  at: moment,
  scheduledAt: moment,
  leadId: z.string().nullable(),
  /** The member to whom the task on the platform is assigned. */
  assigneeId: z.string().nullable(),
  /** Whether the platform has the task as it is here. If not, a write is queued, and the platform's state is older. */
  isWritten: z.boolean(),
})
const claimSchema = z.object({
  memberId: z.string(),
  agentId: z.string(),
  name: z.string(),
  claimedAt: moment,
  until: moment,
  /** The outbound call that the agent made with it. */
  ucid: z.string().nullable(),
  /** Until then the provider may be making the agent's call: nobody else may make one. */
  dialsUntil: moment.nullable().default(null),
})
const scheduledSchema = z.object({ ucid: z.string(), scheduledAt: moment })
const assigneeSchema = z.object({ memberId: z.string(), agentId: z.string().nullable(), name: z.string().nullable() })
export const worklistOutcomes = ['REACHED', 'NOT_NEEDED', 'WRONG_NUMBER', 'GAVE_UP'] as const
const closedSchema = z.object({
  at: moment,
  /** Null: the tasks were completed or deleted on the platform, or the missed call was answered after all. */
  outcome: z.enum(worklistOutcomes).nullable(),
  /** The call that reached the person. */
  ucid: z.string().nullable(),
  agentId: z.string().nullable(),
})

export const entrySchema = z.object({
  id: z.string(),
  phoneNumber: z.string(),
  leadId: z.string().nullable(),
  missed: z.array(missedSchema),
  callbacks: z.array(callbackSchema),
  /** The callbacks that were added, also those that are gone since: a repetition adds none of them again. One per call. */
  scheduled: z.array(scheduledSchema).default([]),
  assignee: assigneeSchema.nullable(),
  /** As `scheduleEntry` set it; null again after a later missed call or callback. */
  dueAt: moment.nullable(),
  /** When `dueAt` was set. Null without one, and for one that an earlier version of this service set. */
  dueSetAt: moment.nullable().default(null),
  claim: claimSchema.nullable(),
  tries: z.array(missedSchema),
  closed: closedSchema.nullable(),
})
export type WorklistEntry = z.output<typeof entrySchema>
export type WorklistCallback = z.output<typeof callbackSchema>
export type WorklistClaim = z.output<typeof claimSchema>
export type WorklistAssignee = z.output<typeof assigneeSchema>
export type WorklistOutcome = (typeof worklistOutcomes)[number]
export type Closed = z.output<typeof closedSchema>

/** Of one person; beyond it the oldest are dropped: of callbacks, those that were scheduled first. */
const maxMissed = 200
const maxTries = 50
const maxCallbacks = 10
const maxScheduled = 50
/** A claim is held by its call for so long at most, so that a call without a known end does not hide a person for ever. */
const maxHeldByCallMs = 4 * 3_600_000

export function newEntry(id: string, phoneNumber: string): WorklistEntry {
  const nothing = { leadId: null, assignee: null, dueAt: null, dueSetAt: null, claim: null, closed: null }
  return { id, phoneNumber, missed: [], callbacks: [], scheduled: [], tries: [], ...nothing }
}

/** Claim, tries, due time and assignee of a closed entry do not count for the next reason to call. */
function reopened(entry: WorklistEntry): WorklistEntry {
  const { id, phoneNumber, leadId, scheduled } = entry
  return entry.closed === null ? entry : { ...newEntry(id, phoneNumber), leadId, scheduled }
}

type Missed = { readonly ucid: string; readonly at: string; readonly leadId: string | null }

export function withMissed(entry: WorklistEntry, { ucid, at, leadId }: Missed): WorklistEntry {
  const open = reopened(entry)
  const others = open.missed.filter((known) => known.ucid !== ucid)
  const missed = [...others, { ucid, at }].toSorted((one, other) => one.at.localeCompare(other.at)).slice(-maxMissed)
  // Who calls again is due now. A repeated report of a known call changes nothing, and neither does a late report of an earlier one.
  const isNew = others.length === open.missed.length
  const isDueNow = isNew && open.dueAt !== null && open.dueAt > at && (open.dueSetAt === null || at > open.dueSetAt)
  return { ...open, missed, ...(isDueNow ? { dueAt: null, dueSetAt: null } : {}), leadId: leadId ?? open.leadId }
}

/**
 * Adds a callback, or changes the one that was scheduled with the same call. A repetition changes nothing: what was set since then stays, and one that
 * is gone was finished.
 */
export function withCallback(entry: WorklistEntry, callback: WorklistCallback, assignee: WorklistAssignee | null): WorklistEntry {
  const { ucid, at, scheduledAt, leadId } = callback
  const added = [...entry.callbacks, ...entry.scheduled]
  if (added.some((known) => known.ucid === ucid && known.scheduledAt >= scheduledAt)) return entry
  const open = reopened(entry)
  const newest = [...open.callbacks.filter((known) => known.ucid !== ucid), callback]
    .toSorted((one, other) => one.scheduledAt.localeCompare(other.scheduledAt))
    .slice(-maxCallbacks)
  const callbacks = newest.toSorted((one, other) => one.at.localeCompare(other.at))
  const scheduled = [...open.scheduled.filter((known) => known.ucid !== ucid), { ucid, scheduledAt }].slice(-maxScheduled)
  const due = open.dueAt === null ? {} : { dueAt: at, dueSetAt: scheduledAt }
  return { ...open, callbacks, scheduled, ...due, leadId: leadId ?? open.leadId, assignee: open.assignee ?? assignee }
}

export function withTry(entry: WorklistEntry, { ucid, at }: { readonly ucid: string; readonly at: string }): WorklistEntry {
  const isKnown = entry.tries.some((known) => known.ucid === ucid)
  return isKnown || entry.closed !== null ? entry : { ...entry, tries: [...entry.tries, { ucid, at }].slice(-maxTries) }
}

/** A call that reached the person. `isOutbound`: we called them, so no callback is left; else those for later stay. */
export type Reached = { readonly ucid: string; readonly at: string; readonly isOutbound: boolean }

/**
 * A callback that was scheduled with the call or after it stays, however late the call's reports arrive; with it, whatever the provider's
 * clock says.
 */
export function withoutReached(entry: WorklistEntry, { ucid, at, isOutbound }: Reached, agentId: string | null): WorklistEntry {
  const missed = entry.missed.filter((call) => call.at > at)
  const callbacks = entry.callbacks.filter(
    (callback) => callback.ucid === ucid || callback.scheduledAt >= at || (!isOutbound && callback.at > at),
  )
  return remaining(entry, { missed, callbacks }, { at, outcome: 'REACHED', ucid, agentId })
}

/** The entry with what is left to do; it is closed if that is nothing. */
export function remaining(entry: WorklistEntry, left: Pick<WorklistEntry, 'missed' | 'callbacks'>, closed: Closed): WorklistEntry {
  if (entry.closed !== null) return entry
  const isDone = left.missed.length === 0 && left.callbacks.length === 0
  return { ...entry, ...left, ...(isDone ? { claim: null, closed } : {}) }
}

/** When the person should be called: as `scheduleEntry` set it, else the first missed call or callback. */
export function dueAtOf({ dueAt, missed, callbacks, closed }: WorklistEntry): string {
  const moments = [...missed, ...callbacks].map(({ at }) => at).toSorted()
  return dueAt ?? moments[0] ?? closed?.at ?? ''
}

/** `now`: epoch milliseconds. `liveUcids`: the calls in progress, as far as claims name them. */
export type ClaimCheck = { readonly now: number; readonly liveUcids: ReadonlySet<string> }

/** The claim that counts: until its end, and as long as its call is in progress. `until` is null while only the call holds it. */
export function heldClaim(
  { claim }: WorklistEntry,
  { now, liveUcids }: ClaimCheck,
): (Omit<WorklistClaim, 'until'> & { readonly until: string | null }) | null {
  if (claim === null) return null
  const isOnCall = claim.ucid !== null && liveUcids.has(claim.ucid) && now - Date.parse(claim.claimedAt) < maxHeldByCallMs
  if (isOnCall) return { ...claim, until: null }
  return Date.parse(claim.until) > now ? claim : null
}

/** Throws WRONG_STATE while the call of the claim is being made: another agent would call the person too. */
export function assertNotDialling({ claim }: WorklistEntry, { now }: ClaimCheck): void {
  if (claim === null || claim.dialsUntil === null || Date.parse(claim.dialsUntil) <= now) return
  throw new AppError('WRONG_STATE', { detail: 'A call to this person is being made: try again in a few seconds' })
}

/** Ends the claim before its time. Throws WRONG_STATE while its call is being made or in progress. */
export function withoutClaim(entry: WorklistEntry, check: ClaimCheck): WorklistEntry {
  assertNotDialling(entry, check)
  if (entry.claim?.ucid && check.liveUcids.has(entry.claim.ucid) && heldClaim(entry, check)) {
    throw new AppError('WRONG_STATE', { detail: 'The call to this person is in progress; it can be given back when the call has ended' })
  }
  return { ...entry, claim: null }
}
