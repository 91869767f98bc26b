import { localMoment, momentOfLocal } from '../../kernel/time-zone.ts'
import { type AlertsSection, weekdays } from '../../ports/configuration/alerts.ts'

const dayMs = 86_400_000
type OpenHours = AlertsSection['openHours']
/** `day`: midnight of the local date, as if it were UTC. */
type Opening = { readonly day: number; readonly from: string }

/** Since when the clinic is open (epoch milliseconds), over entries that adjoin; null if it is closed, 0 if it never closes. */
export function openSince(openHours: OpenHours, now: number, timeZone: string): number | null {
  if (openHours.length === 0) return 0
  const local = localMoment(now, timeZone)
  const time = local.slice(11, 16)
  const today = Date.parse(`${local.slice(0, 10)}T00:00:00Z`)
  const present = hoursOf(openHours, today).find(({ from, to }) => from <= time && time < to)
  if (!present) return null
  let opening: Opening = { day: today, from: present.from }
  while (opening.day > today - 8 * dayMs) {
    const earlier = adjoining(openHours, opening)
    if (!earlier) return momentOfLocal(Date.parse(`${isoDate(opening.day)}T${opening.from}:00Z`), timeZone)
    opening = earlier
  }
  return 0
}

/** The opening that goes on until or over this one. */
function adjoining(openHours: OpenHours, { day, from }: Opening): Opening | null {
  const sameDay = hoursOf(openHours, day).find((hours) => hours.from < from && from <= hours.to)
  if (sameDay) return { day, from: sameDay.from }
  const dayBefore = from === '00:00' && hoursOf(openHours, day - dayMs).find(({ to }) => to === '24:00')
  return dayBefore ? { day: day - dayMs, from: dayBefore.from } : null
}

function hoursOf(openHours: OpenHours, day: number): OpenHours {
  const weekday = weekdays[new Date(day).getUTCDay()]
  return openHours.filter(({ days }) => weekday !== undefined && days.includes(weekday))
}

function isoDate(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}
