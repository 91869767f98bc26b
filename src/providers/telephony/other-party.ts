import { type CountryCode, dialledDigits, toE164 } from '../../kernel/phone.ts'
import { oneLine } from '../../kernel/text.ts'

/** `phoneNumber`: E.164. `dialledNumber`: as the provider reports it. Both null: the caller withholds the number. */
export type OtherParty = { readonly phoneNumber: string | null; readonly dialledNumber: string | null }

/** As long as a number that a person may enter. */
const longest = 40

/** Reads the number of the other party of a call, or the user of a SIP address: the host may have digits too. No digits: it is withheld. */
export function otherParty(reported: string, country: CountryCode): OtherParty {
  const [, user = reported] = /^[^:@]*\b(?:sips?|tel):([^@;>]*)/i.exec(reported) ?? []
  const dialledNumber = oneLine(user.replace(/@.*$/s, '')).slice(0, longest).trim()
  if (dialledDigits(dialledNumber) === '') return { phoneNumber: null, dialledNumber: null }
  return { phoneNumber: toE164(dialledNumber, country), dialledNumber }
}
