import { dialledDigits } from '../../../kernel/phone.ts'
import type { KnownCall } from './call-facts.ts'

type Numbers = Pick<KnownCall, 'phoneNumber' | 'dialledNumber'>

/** Under which number the other party of a call is found and called back: E.164, else the digits as they were dialled. Null if it is withheld. */
export function numberToCall({ phoneNumber, dialledNumber }: Numbers): string | null {
  return phoneNumber ?? (dialledDigits(dialledNumber ?? '') || null)
}

/** What a number to call is of a call. */
export function numbersOf(number: string | null): Numbers {
  const isE164 = number?.startsWith('+') === true
  return { phoneNumber: isE164 ? number : null, dialledNumber: isE164 ? null : number }
}
