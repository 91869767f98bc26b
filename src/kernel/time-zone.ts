import { LRUCache } from 'lru-cache'

const minuteMs = 60_000
/** There are some 420 zones, and about as many older names. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 })

/** Whether this is a zone of the IANA database, such as `Asia/Kolkata`. False for offsets such as `+05:30`: they have no daylight saving. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** A time in the zone, with its offset: `2026-11-23T10:00:00+05:30`. */
export function localMoment(epochMs: number, timeZone: string): string {
  const offsetMinutes = Math.round(offsetMs(epochMs, timeZone) / minuteMs)
  const local = new Date(epochMs + offsetMinutes * minuteMs).toISOString().slice(0, 19)
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60]
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`
}

/**
 * Converts a local date and time in the zone, passed as if it were UTC, to the real time. A local time that occurs twice (the clock is
 * set back) means the first one. A local time that does not occur (the clock is set forward) is moved later by the size of the jump.
 */
export function momentOfLocal(localMs: number, timeZone: string): number {
  const dayMs = 1_440 * minuteMs
  const [before, after] = [localMs - offsetMs(localMs - dayMs, timeZone), localMs - offsetMs(localMs + dayMs, timeZone)]
  const shownSo = [before, after].filter((at) => at + offsetMs(at, timeZone) === localMs)
  return shownSo.length === 0 ? before : Math.min(...shownSo)
}

/** How far the zone is ahead of UTC at a given time. */
function offsetMs(epochMs: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(epochMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(epochMs / 1_000) * 1_000
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23', ...numeric })
  formats.set(timeZone, format)
  return format
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
