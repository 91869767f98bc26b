import { localMoment, momentOfLocal } from '../../kernel/time-zone.ts'
import { type AlertsSection, weekdays } from '../../ports/configuration/alerts.ts'

/** Since when the clinic is open (epoch milliseconds); null if it is closed, 0 if it never closes. */
export function openSince(openHours: AlertsSection['openHours'], now: number, timeZone: string): number | null {
  if (openHours.length === 0) return 0
  const local = localMoment(now, timeZone)
  const [date, time] = [local.slice(0, 10), local.slice(11, 16)]
  const weekday = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]
  const open = openHours.filter(({ days, from, to }) => weekday !== undefined && days.includes(weekday) && from <= time && time < to)
  const begins = open.map(({ from }) => momentOfLocal(Date.parse(`${date}T${from}:00Z`), timeZone))
  return begins.length === 0 ? null : Math.min(...begins)
}
