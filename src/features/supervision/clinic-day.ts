import { localMoment, momentOfLocal } from '../../kernel/time-zone.ts'

/** A day of the clinic, by its own clock. */
export type ClinicDay = {
  /** `2026-11-21` */
  readonly date: string
  readonly timeZone: string
  /** Epoch milliseconds; `to` is the next day's beginning. */
  readonly from: number
  readonly to: number
}

const dayMs = 86_400_000

/** The clinic's day at this moment (epoch milliseconds). `timeZone`: its IANA name. */
export function clinicDayAt(moment: number, timeZone: string): ClinicDay {
  const date = localMoment(moment, timeZone).slice(0, 10)
  const midnight = Date.parse(`${date}T00:00:00Z`)
  return { date, timeZone, from: momentOfLocal(midnight, timeZone), to: momentOfLocal(midnight + dayMs, timeZone) }
}

/** The hour that the clinic's clock shows, 0 to 23. */
export function clinicHourAt(moment: number, timeZone: string): number {
  return Number(localMoment(moment, timeZone).slice(11, 13))
}
