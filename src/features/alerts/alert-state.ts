import { z } from 'zod'
import type { Breach } from './alert.ts'

/** The conditions of a workspace as they were evaluated last. Times are epoch milliseconds. */
export const alertStateSchema = z.object({
  evaluatedAt: z.number(),
  /** Since when they are evaluated without a pause. */
  watchedSince: z.number(),
  conditions: z.record(
    z.string(),
    z.object({
      since: z.number(),
      /** Null: not an alert yet. */
      raisedAt: z.number().nullable(),
      /** Since when it is over; null while it lasts. */
      overSince: z.number().nullable(),
    }),
  ),
})
export type AlertState = z.output<typeof alertStateSchema>

/** A condition that is over for so long is cleared. One that returns earlier is the same alert, so that it does not come and go. */
const clearAfterMs = 60_000
/** After a longer pause nobody knows what happened in it. */
const longestPauseMs = 120_000

export function keyOfBreach({ kind, subject }: Pick<Breach, 'kind' | 'subject'>): string {
  return subject ? `${kind} ${subject.id}` : kind
}

/** `raise`: breaches to be raised now, with the moment that identifies their alert. `clear`: keys, with the same moment. */
export type AlertChanges = {
  readonly state: AlertState
  readonly raise: readonly { readonly breach: Breach; readonly since: number }[]
  readonly clear: readonly { readonly key: string; readonly since: number }[]
}

/** A state in which nothing has been seen; also after a pause, for what was not raised. */
export function stateAt(known: AlertState | null, now: number): AlertState {
  if (known && now - known.evaluatedAt <= longestPauseMs) return { ...known, evaluatedAt: now }
  const raised = Object.entries(known?.conditions ?? {}).filter(([, { raisedAt }]) => raisedAt !== null)
  const conditions = Object.fromEntries(raised.map(([key, condition]) => [key, { ...condition, overSince: null }]))
  return { evaluatedAt: now, watchedSince: now, conditions }
}

/** What the breaches of this moment change. */
export function changesOf(before: AlertState, breaches: readonly Breach[]): AlertChanges {
  const now = before.evaluatedAt
  const present = new Map(breaches.map((breach) => [keyOfBreach(breach), breach]))
  const conditions: AlertState['conditions'] = {}
  const [raise, clear]: [AlertChanges['raise'][number][], AlertChanges['clear'][number][]] = [[], []]
  for (const [key, breach] of present) {
    const { since = now, raisedAt = null } = before.conditions[key] ?? {}
    const isDue = raisedAt === null && now - since >= breach.forMs
    if (isDue) raise.push({ breach, since })
    conditions[key] = { since, raisedAt: isDue ? now : raisedAt, overSince: null }
  }
  for (const [key, known] of Object.entries(before.conditions)) {
    if (present.has(key) || known.raisedAt === null) continue
    const overSince = known.overSince ?? now
    if (now - overSince >= clearAfterMs) clear.push({ key, since: known.since })
    else conditions[key] = { ...known, overSince }
  }
  return { state: { ...before, conditions }, raise, clear }
}
