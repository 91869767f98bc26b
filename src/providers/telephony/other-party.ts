import { type CountryCode, dialledDigits, toE164 } from '../../kernel/phone.ts'
import { oneLine } from '../../kernel/text.ts'

/** `phoneNumber`: E.164. `dialledNumber`: as the provider reports it. Both null: the caller withholds the number. */
export type OtherParty = { readonly phoneNumber: string | null; readonly dialledNumber: string | null }

/** As long as a number that a person may enter. */
const longest = 40

/** No number, and no SIP address with a number, is longer. */
const longestReported = 400

/** Reads the number of the other party of a call, or the user of a SIP address: the host may have digits too. No digits: it is withheld. */
export function otherParty(reported: string, country: CountryCode): OtherParty {
  const text = reported.slice(0, longestReported)
  const [user = ''] = (/\b(?:sips?|tel):([^;>]*)/i.exec(text)?.[1] ?? text).split('@', 1)
  const dialledNumber = oneLine(user).slice(0, longest).trim()
  if (dialledDigits(dialledNumber) === '') return { phoneNumber: null, dialledNumber: null }
  return { phoneNumber: toE164(dialledNumber, country), dialledNumber }
}
