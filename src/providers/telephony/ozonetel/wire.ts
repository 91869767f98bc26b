import { type CountryCode, phoneParts, toE164 } from '../../../kernel/phone.ts'

const indiaOffsetMs = 5.5 * 3_600_000
const momentForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/

/** Values that mean "none" in this API. */
export function present(text: string): string | null {
  return text === '' || /^(?:none|null)$/i.test(text) ? null : text
}

/** If the wrap-up ends without a disposition, the provider sets one itself; that one counts as none. */
export function dispositionOf(text: string): string | null {
  return /^wrap ?up time exceeded/i.test(text) ? null : present(text)
}

/** Converts the provider's times (no zone, India Standard Time) to ISO 8601 in UTC; null if the text is not a time. */
export function instantOf(indiaTime: string): string | null {
  const [, day, time] = momentForm.exec(indiaTime) ?? []
  const epochMs = Date.parse(`${day}T${time}+05:30`)
  return Number.isNaN(epochMs) ? null : new Date(epochMs).toISOString()
}

/** `YYYY-MM-DD HH:MM:SS` in India Standard Time. */
export function indiaTimeOf(instant: string): string {
  return new Date(Date.parse(instant) + indiaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** Converts `HH:MM:SS` to seconds; 0 if the text has another form, or is longer than a day, which no call takes. */
export function secondsOf(duration: string): number {
  const [hours, minutes, seconds] = duration.split(':').map(Number)
  const sum = (hours ?? Number.NaN) * 3600 + (minutes ?? Number.NaN) * 60 + (seconds ?? Number.NaN)
  return sum <= 86_400 ? Math.max(0, sum) : 0
}

/** The format that the provider dials: Indian numbers as `0` and the national number, others with `+`. */
export function dialledForm(e164: string): string {
  const parts = phoneParts(e164)
  return parts?.callingCode === '+91' ? `0${parts.national}` : e164
}

/** A phone number of the account, digits only. */
export function didForm(did: string): string {
  return did.replaceAll(/\D/g, '')
}

export function numberOf(text: string, country: CountryCode): string | null {
  return present(text) === null ? null : toE164(text, country)
}
