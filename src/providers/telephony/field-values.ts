import { z } from 'zod'

/** Values of the providers' reports. A field may be missing, empty, or hold a word for "nothing": each of them says nothing. */

/** A field as it came, without blanks around it; the empty text if it is missing, or has another form. */
export const rawText = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => String(value ?? '').trim())

const nothings = new Set(['none', 'null', 'nil', 'undefined', 'nan', 'na', 'n/a', 'n.a.', 'not available', 'not applicable', 'unknown'])
const dashes = /^[-–—?]+$/

/** Null for what means "nothing". */
export function present(text: string): string | null {
  return text === '' || nothings.has(text.toLowerCase()) || dashes.test(text) ? null : text
}

const unsaid = new Set(['none', 'null', 'undefined', 'na', 'n/a', 'n.a.', 'unknown'])

/** What a person wrote or chose: null only for what no person writes. "Not available" and "unknown" say something. */
export function said(text: string): string | null {
  return text === '' || unsaid.has(text.toLowerCase()) || dashes.test(text) ? null : text
}

/** As `rawText`; the empty text also for a word that means "nothing". */
export const field = rawText.transform((text) => present(text) ?? '')

const clockForm = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d{1,6})?$/
const secondsForm = /^\d{1,6}(?:\.\d{1,6})?$/
const daySeconds = 86_400

/** Whole seconds of `HH:MM:SS`, or of a number of seconds; null for another form, and for more than a day, which no call takes. */
export function secondsOf(duration: string): number | null {
  const [, hours, minutes, seconds] = clockForm.exec(duration) ?? []
  const isNumber = secondsForm.test(duration)
  const sum = isNumber ? Math.round(Number(duration)) : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sum <= daySeconds ? sum : null
}

/** A duration, as `secondsOf`. */
export const seconds = rawText.transform(secondsOf)

const momentForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/
/** Earlier times are an empty clock, such as 1970. */
const earliest = '2000-01-01T00:00:00.000Z'

/** The providers' times have no zone and are in India Standard Time: ISO 8601 in UTC; null for what is no time of a call. */
export function instantOf(indiaTime: string): string | null {
  const [, day, time] = momentForm.exec(indiaTime) ?? []
  const epochMs = Date.parse(`${day}T${time}+05:30`)
  if (Number.isNaN(epochMs)) return null
  const instant = new Date(epochMs).toISOString()
  return instant < earliest ? null : instant
}

const webAddress = /^https?:\/\//i

/** Whether it has the form of a time, such as that of an empty clock. */
export function isTime(text: string): boolean {
  return momentForm.test(text)
}

/** The address of a recording; null for another text. */
export function addressOf(text: string): string | null {
  return webAddress.test(text) && URL.canParse(text) ? text : null
}
