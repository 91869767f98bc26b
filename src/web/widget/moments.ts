import type { Slot } from './model.ts'

/** The widget is in English; if the browser's language is a variant of English, its time format is used. */
const locale = globalThis.navigator?.language.startsWith('en') ? navigator.language : 'en'
const dayFormat = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
const shortDayFormat = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const timeFormat = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })

/** The clinic's clock, whatever the visitor's: the time as it is written is read as UTC and shown as UTC. */
function wallClock({ localStartsAt, startsAt }: Slot): Date {
  return new Date(localStartsAt ? `${localStartsAt.slice(0, 19)}Z` : startsAt)
}

export function dayOf(slot: Slot): string {
  return dayFormat.format(wallClock(slot))
}

export function shortDayOf(slot: Slot): string {
  return shortDayFormat.format(wallClock(slot))
}

export function timeOf(slot: Slot): string {
  // Kept together: `10:00 am` must not break before its half of the day.
  return timeFormat.format(wallClock(slot)).replaceAll(/\s/g, '\u00a0')
}

export type Day = { readonly key: string; readonly title: string; readonly slots: readonly Slot[] }

/** The slots by day of the clinic, earliest first. */
export function daysOf(slots: readonly Slot[]): readonly Day[] {
  const days = new Map<string, Slot[]>()
  for (const slot of slots.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))) {
    const key = wallClock(slot).toISOString().slice(0, 10)
    days.set(key, [...(days.get(key) ?? []), slot])
  }
  return [...days].map(([key, ofDay]) => ({ key, title: ofDay[0] ? dayOf(ofDay[0]) : key, slots: ofDay }))
}

/** The name of the clinic's time zone if the visitor's is different; else null. */
export function foreignZone(timeZone: string): string | null {
  if (timeZone === '' || timeZone === new Intl.DateTimeFormat().resolvedOptions().timeZone) return null
  return timeZone.replaceAll('_', ' ')
}

/** 272 seconds as `4:32`. */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** 272 seconds as `5 minutes`; never none. */
export function inMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
