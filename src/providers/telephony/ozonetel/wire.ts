import { type CountryCode, phoneParts, toE164 } from '../../../kernel/phone.ts'

const indiaOffsetMs = 5.5 * 3_600_000
const momentForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/

/** Values that stand for "none" on this wire. */
export function present(text: string): string | null {
  return text === '' || /^(?:none|null)$/i.test(text) ? null : text
}

/** A disposition that the provider sets itself when the wrap-up ends without one is none. */
export function dispositionOf(text: string): string | null {
  return /^wrap ?up time exceeded/i.test(text) ? null : present(text)
}

/** The provider's moments carry no zone and are India Standard Time; ISO in UTC, or null for what is no moment. */
export function instantOf(indiaTime: string): string | null {
  const [, day, time] = momentForm.exec(indiaTime) ?? []
  const epochMs = Date.parse(`${day}T${time}+05:30`)
  return Number.isNaN(epochMs) ? null : new Date(epochMs).toISOString()
}

/** `YYYY-MM-DD HH:MM:SS` in India Standard Time. */
export function indiaTimeOf(instant: string): string {
  return new Date(Date.parse(instant) + indiaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** `HH:MM:SS` in seconds; 0 for what is none. */
export function secondsOf(duration: string): number {
  const [hours, minutes, seconds] = duration.split(':').map(Number)
  const sum = (hours ?? Number.NaN) * 3600 + (minutes ?? Number.NaN) * 60 + (seconds ?? Number.NaN)
  return Number.isFinite(sum) ? sum : 0
}

/** Indian numbers as `0` and the national number, others with `+`: what the provider dials. */
export function dialledForm(e164: string): string {
  const parts = phoneParts(e164)
  return parts?.callingCode === '+91' ? `0${parts.national}` : e164
}

/** A number of the account, digits alone. */
export function didForm(did: string): string {
  return did.replaceAll(/\D/g, '')
}

export function numberOf(text: string, country: CountryCode): string | null {
  return present(text) === null ? null : toE164(text, country)
}
