import { useStore } from '../state/store.ts'
import { type Language, languageStore } from './language.ts'

const locales: Readonly<Record<Language, string>> = { en: 'en-IN', hi: 'hi-IN' }

/** Whether the browser counts hours to 12 or to 24. Its fields for times do so too, in whatever language the page is. */
const { hourCycle = 'h12' } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions()
const clockParts = { hour: 'numeric', minute: '2-digit', hourCycle } as const

function formatsIn(language: Language) {
  const locale = locales[language]
  const clock = new Intl.DateTimeFormat(locale, clockParts)
  const wholeHour = new Intl.DateTimeFormat(
    locale,
    hourCycle === 'h12' || hourCycle === 'h11' ? { hour: 'numeric', hourCycle } : clockParts,
  )
  const second = new Intl.DateTimeFormat(locale, { ...clockParts, second: '2-digit' })
  const day = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', hourCycle })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const longDay = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const time = (at: string, now = Date.now()): string => {
    const date = new Date(at)
    const isToday = date.toDateString() === new Date(now).toDateString()
    return isToday ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`
  }
  return {
    /** `10:42 am` today, `Fri, 20 Nov, 10:42 am` otherwise; `10:42` if the browser counts to 24. */
    time,
    /** A sentence of the service, which writes moments in ISO 8601. */
    withTimes: (sentence: string): string => sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => time(at)),
    /** The same, to the second: for logs. */
    second: (at: string, now = Date.now()): string => {
      const date = new Date(at)
      const isToday = date.toDateString() === new Date(now).toDateString()
      return isToday ? second.format(date) : `${day.format(date)}, ${second.format(date)}`
    },
    moment: (at: string): string => moment.format(new Date(at)),
    /** Of a moment with the clinic's own offset, such as `2026-11-23T10:00:00+05:30`, or of its day: as people read them there. */
    localDay: (local: string): string => day.format(wallClock(local)),
    localClock: (local: string): string => clock.format(wallClock(local)),
    localTime: (local: string): string => `${day.format(wallClock(local))}, ${clock.format(wallClock(local))}`,
    /** `9 am` or `09:00` of 9: an hour of the clinic's day. */
    hour: (hour: number): string => wholeHour.format(new Date(2026, 0, 1, hour)),
    /** `2:05 pm` in another time zone than that of this device. */
    clockIn: (timeZone: string): ((moment: number | string) => string) => {
      const there = new Intl.DateTimeFormat(locale, { ...clockParts, timeZone })
      return (moment) => there.format(new Date(moment))
    },
    number: (value: number): string => number.format(value),
    /** `92%` of 0.92. */
    percent: (part: number): string => percent.format(part),
    /** `20 Nov` of `2026-11-20`. */
    day: (day: string): string => shortDay.format(new Date(`${day}T00:00:00Z`)),
    /** `Friday, 20 November` of `2026-11-20`. */
    wholeDay: (day: string): string => longDay.format(new Date(`${day}T00:00:00Z`)),
    /** `5 min. ago`, `in 2 hr.`; to the minute. */
    ago: (at: string, now: number): string => {
      const minutes = Math.round((Date.parse(at) - now) / 60_000)
      const hours = Math.round(minutes / 60)
      if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')
      return Math.abs(hours) < 36 ? relative.format(hours, 'hour') : relative.format(Math.round(hours / 24), 'day')
    },
  }
}

/** The same numbers on the clock of this device. */
function wallClock(local: string): Date {
  return new Date(`${local.slice(0, 10)}T${local.slice(11, 19) || '12:00:00'}`)
}

const formats = { en: formatsIn('en'), hi: formatsIn('hi') }
export type Formats = ReturnType<typeof formatsIn>

/** Dates, times and numbers as the person's language writes them. */
export function useFormats(): Formats {
  return formats[useStore(languageStore)]
}
