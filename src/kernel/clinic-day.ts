import { localMoment, momentOfLocal } from './time-zone.ts'

/** A day in the clinic's time zone. */
export type ClinicDay = {
  /** `2026-11-21` */
  readonly date: string
  /** A name of the IANA database. */
  readonly timeZone: string
  /** Epoch milliseconds; `to` is the start of the next day. */
  readonly from: number
  readonly to: number
}

const dayMs = 86_400_000

/** The clinic's day at this moment (epoch milliseconds). */
export function clinicDayAt(moment: number, timeZone: string): ClinicDay {
  return clinicDayOn(localMoment(moment, timeZone).slice(0, 10), timeZone)
}

/** The clinic's day with this date, `2026-11-21`. */
export function clinicDayOn(date: string, timeZone: string): ClinicDay {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  return { date, timeZone, from: momentOfLocal(midnight, timeZone), to: momentOfLocal(midnight + dayMs, timeZone) }
}

/** The hour of the clinic's local time, 0 to 23. */
export function clinicHourAt(moment: number, timeZone: string): number {
  return Number(localMoment(moment, timeZone).slice(11, 13))
}
