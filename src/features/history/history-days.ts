import type { Actor } from '../../access/actor.ts'
import { type ClinicDay, clinicDayAt, clinicDayOn } from '../../kernel/clinic-day.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { maxHistoryDays } from './history-store.ts'

const dayMs = 86_400_000

/** A date such as `2026-11-21`. Errors: INVALID_INPUT. */
export function dayOf(date: string, { field, timeZone }: { readonly field: string; readonly timeZone: string }): ClinicDay {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) {
    throw invalidInput(field, 'must be a day such as 2026-11-21')
  }
  return clinicDayOn(date, timeZone)
}

type Range = { readonly from: string; readonly to: string }

/** The days of a range, and its first and last moment (epoch milliseconds). Errors: INVALID_INPUT. */
export function daysOf(
  { from, to }: Range,
  timeZone: string,
): { readonly dates: readonly string[]; readonly from: number; readonly to: number } {
  const [first, last] = [dayOf(from, { field: 'from', timeZone }), dayOf(to, { field: 'to', timeZone })]
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
  if (count < 1) throw invalidInput('to', 'must not be before "from"')
  if (count > maxHistoryDays) throw invalidInput('to', `must be at most ${maxHistoryDays} days from "from"`)
  const dates = Array.from({ length: count }, (_, index) => new Date(Date.parse(from) + index * dayMs).toISOString().slice(0, 10))
  return { dates, from: first.from, to: last.to - 1 }
}

/** Whose calls the actor may read: an agent's own, or for a manager those that they ask for; null means all. Errors: NOT_YOURS. */
export function readableAgent({ principal: { role, agentId } }: Actor, wanted: string | null | undefined): string | null {
  if (role === 'MANAGER') return wanted ?? null
  if (agentId === null || (wanted ?? agentId) !== agentId) {
    throw new AppError('NOT_YOURS', { detail: 'Agents see only their own calls: leave "agentId" out' })
  }
  return agentId
}

/** The days that have begun and are not complete. `readTo`: see HistoryProgress. */
export function incompleteDays(
  dates: readonly string[],
  { readTo, now, timeZone }: { readTo: number | null; now: number; timeZone: string },
) {
  const today = clinicDayAt(now, timeZone).date
  return dates.filter((date) => date <= today && readTo !== null && clinicDayOn(date, timeZone).from < readTo)
}
