import { type CountryCode, dialledDigits, reportedToE164 } from '../../kernel/phone.ts'
import { oneLine } from '../../kernel/text.ts'

/** `phoneNumber`: E.164. `dialledNumber`: as the provider reports it. Both null: the caller withholds the number. */
export type OtherParty = { readonly phoneNumber: string | null; readonly dialledNumber: string | null }

/** What gateways write for a caller without a number, also behind a country code. An extension may be 1000. */
const nobody = /^(?:[1-9]\d{0,2})?0{7,}$|^0*$/

/** As long as a number that a person may enter. */
const longest = 40

/** No number, and no SIP address with a number, is longer. */
const longestReported = 400

/** Reads the number of the other party of a call, or the user of a SIP address: the host may have digits too. No digits, or only zeros: it is withheld. */
export function otherParty(reported: string, country: CountryCode): OtherParty {
  const text = reported.slice(0, longestReported)
  const [user = ''] = (/\b(?:sips?|tel):([^;>]*)/i.exec(text)?.[1] ?? text).split('@', 1)
  const dialledNumber = oneLine(user).slice(0, longest).trim()
  const digits = dialledDigits(dialledNumber)
  if (nobody.test(digits)) return { phoneNumber: null, dialledNumber: null }
  const [, number = dialledNumber] = /<([^<>]*)>$/.exec(dialledNumber) ?? []
  return { phoneNumber: reportedToE164(number, country), dialledNumber }
}
