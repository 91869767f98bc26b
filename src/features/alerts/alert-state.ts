import { z } from 'zod'
import { isoMoment } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type AlertFacts, alertFactsSchema, type Breach } from './alert.ts'

const conditionSchema = z.object({
  since: z.number(),
  /** Since when it is over; null while it lasts. */
  overSince: z.number().nullable(),
  /** Null: it has not lasted for long enough. Cleared: it is here until that is published. */
  alert: alertFactsSchema.nullable(),
  /** When its kind could be checked last; not in conditions of earlier versions. */
  checkedAt: z.number().optional(),
  /** Whether the alert is published as it is here. */
  isPublished: z.boolean(),
})
type Condition = z.output<typeof conditionSchema>

/** The conditions of a workspace as they were evaluated last, by kind and subject. Times are epoch milliseconds. */
export const alertStateSchema = z.object({
  evaluatedAt: z.number(),
  /** Since when they are evaluated without a pause. */
  watchedSince: z.number(),
  conditions: z.record(z.string(), z.unknown()).transform(readableConditions),
})
export type AlertState = z.output<typeof alertStateSchema>

/** Without those in another form, which another version of this service has written. */
function readableConditions(stored: Readonly<Record<string, unknown>>): Record<string, Condition> {
  const found = Object.entries(stored).map(([key, condition]) => [key, conditionSchema.safeParse(condition).data] as const)
  return Object.fromEntries(found.flatMap(([key, condition]) => (condition ? [[key, condition]] : [])))
}

/** A condition that is over for so long is cleared. One that returns earlier is the same alert, so that it does not come and go. */
const clearAfterMs = 60_000
/** After a longer pause nobody knows what happened in it. */
const longestPauseMs = 120_000

/** The state when an evaluation begins. After a pause, only the alerts are known. */
export function stateAt(known: AlertState | null, now: number): AlertState {
  if (known && now - known.evaluatedAt <= longestPauseMs) return { ...known, evaluatedAt: now }
  const alerts = Object.entries(known?.conditions ?? {}).filter(([, { alert }]) => alert !== null)
  const conditions = Object.fromEntries(alerts.map(([key, condition]) => [key, { ...condition, overSince: null }]))
  return { evaluatedAt: now, watchedSince: now, conditions }
}

type Found = { readonly breaches: readonly Breach[]; readonly unknown: ReadonlySet<Breach['kind']> }

/** The state with the breaches of this moment; conditions of unknown kinds stay as they were, at most over a short pause. What is to be published is in it, and is published once it is stored. */
export function stateWith(before: AlertState, { breaches, unknown }: Found): AlertState {
  const { evaluatedAt: now } = before
  const present = new Map(breaches.map((breach) => [keyOf(breach), breach]))
  const unknownKinds: ReadonlySet<string> = unknown
  const conditions: AlertState['conditions'] = {}
  for (const key of new Set([...Object.keys(before.conditions), ...present.keys()])) {
    const known = resumed(before.conditions[key] ?? { since: now, overSince: null, alert: null, isPublished: false }, now)
    if (unknownKinds.has(kindIn(key))) {
      conditions[key] = known
      continue
    }
    const next = nextOf(known, present.get(key) ?? null, now)
    if (next) conditions[key] = { ...next, checkedAt: now }
  }
  return { ...before, conditions }
}

/** After a longer time without a check, it begins again; an alert stays. */
function resumed(known: Condition, now: number): Condition {
  return now - (known.checkedAt ?? now) <= longestPauseMs ? known : { ...known, since: now, overSince: null }
}

/** Null: it is forgotten. */
function nextOf(known: Condition, breach: Breach | null, now: number): Condition | null {
  const { alert, since, isPublished } = known
  if (alert === null) return breach && now - since >= breach.forMs ? { ...known, alert: raised(breach, now) } : breach && known
  // Also if the threshold is reached again: that is another alert, after this one.
  if (alert.clearedAt !== null) return known
  if (breach) return { ...known, overSince: null }
  const overSince = known.overSince ?? now
  if (!isPublished || now - overSince < clearAfterMs) return { ...known, overSince }
  return { ...known, alert: { ...alert, clearedAt: isoMoment(now) }, isPublished: false }
}

function raised({ kind, subject, value, threshold }: Breach, now: number): AlertFacts {
  return { id: newId(), kind, subject, value, threshold, raisedAt: isoMoment(now), clearedAt: null }
}

/** What is not published yet, by the keys of the state. */
export function unpublished({ conditions }: AlertState): readonly (readonly [key: string, alert: AlertFacts])[] {
  return Object.entries(conditions).flatMap(([key, { alert, isPublished }]) => (alert && !isPublished ? [[key, alert] as const] : []))
}

export function withPublished(state: AlertState, keys: ReadonlySet<string>): AlertState {
  const left = Object.entries(state.conditions).flatMap(([key, condition]) => {
    if (!keys.has(key)) return [[key, condition] as const]
    return condition.alert?.clearedAt === null ? [[key, { ...condition, isPublished: true }] as const] : []
  })
  return { ...state, conditions: Object.fromEntries(left) }
}

function kindIn(key: string): string {
  return key.split(' ', 1)[0] ?? key
}

function keyOf({ kind, subject }: Breach): string {
  return subject ? `${kind} ${subject.id}` : kind
}
