import { type CountryCode, phoneParts, reportedToE164 } from '../../../kernel/phone.ts'
import { present } from '../field-values.ts'

const indiaOffsetMs = 5.5 * 3_600_000

/** Seen: `Inbound`, `Manual`; the other ways to dial out are inferred. Null for another word, which says nothing. */
export function directionOf(type: string): 'INBOUND' | 'OUTBOUND' | null {
  if (/^in(?:[ _-]?bound|[ _-]?coming)?(?:[ _-]?call)?$/i.test(type)) return 'INBOUND'
  return outboundWords.test(type) ? 'OUTBOUND' : null
}

const outboundWords =
  /^(?:out|agent|manual|toolbar|click|preview|progressive|predictive|power|auto|dial|blast|campaign|api|call ?back|ivr|voice)/i

/** `Answered` and `NotAnswered` are documented, the others inferred. */
const unansweredWords = new Set(['notanswered', 'unanswered', 'noanswer', 'missed', 'abandoned', 'abandon', 'busy', 'failed', 'rejected'])

/**
 * Whether somebody answered. If the status is missing or unknown, a talk, or both `legs` (the statuses of the agent and the customer), show that
 * somebody did, and nothing that nobody did: null.
 */
export function answeredOf(status: string, talkSeconds: number | null, legs: readonly string[] = []): boolean | null {
  const word = wordOf(status)
  if (word === 'answered') return true
  if (unansweredWords.has(word)) return false
  const isTalk = talkSeconds !== null && talkSeconds > 0
  return isTalk || (legs.length > 0 && legs.every((leg) => wordOf(leg) === 'answered')) ? true : null
}

function wordOf(status: string): string {
  return status.replaceAll(/[\s_-]/g, '').toLowerCase()
}

/** The seconds of a talk, as far as they are known: no talk without an answer, and 0 s say nothing if we do not know of an answer. */
export function talkOf(answered: boolean | null, talkSeconds: number | null): number | null {
  if (answered === false) return 0
  return answered === null ? null : talkSeconds
}

/** `YYYY-MM-DD HH:MM:SS` in India Standard Time. */
export function indiaTimeOf(instant: string): string {
  return new Date(Date.parse(instant) + indiaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
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
  return present(text) === null ? null : reportedToE164(text, country)
}

/** A number of the account: E.164 if it can be one, otherwise as it came. Null for zeros. */
export function didOf(text: string, country: CountryCode): string | null {
  return /^[0\s+()-]*$/.test(text) ? null : (numberOf(text, country) ?? present(text))
}
