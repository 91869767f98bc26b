import { type CountryCode, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

export type { CountryCode }

/** ISO 3166 alpha-2 code of a country that has phone numbers. */
export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text)
}

/**
 * A phone number in E.164 (`+919876543210`), from the digits of any script; null if the text is not a valid number. A wrong prefix is left out
 * (`+09876543210`, `0919876543210`). A number that is valid with the code of another country, and not at home, is of that country.
 */
export function toE164(text: string, defaultCountry: CountryCode | undefined): string | null {
  for (const reading of readings(latinFigures(text), defaultCountry)) {
    const number = parsePhoneNumberFromString(reading, defaultCountry)
    if (number?.isValid()) return number.number
  }
  return null
}

/** As long as a national number in most countries: a shorter number has no country code, it lacks its area code. */
const shortestWithCode = 10

/** A number as it is written, then what else it may mean, the likeliest first. */
function* readings(written: string, home: CountryCode | undefined): Generator<string> {
  yield written
  // Not one number, or not only a number.
  if (/[\p{L},;]/u.test(written)) return
  const digits = written.replaceAll(/\D/g, '')
  const significant = withoutZeros(digits)
  if (home !== undefined) {
    const code = getCountryCallingCode(home)
    let rest = significant
    yield rest
    while (rest.startsWith(code)) {
      rest = withoutZeros(rest.slice(code.length))
      yield rest
    }
  }
  if (significant.length >= shortestWithCode) yield `+${significant}`
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, '')
}

/** The parts of an E.164 number as records may hold them: `{ national: '9876543210', callingCode: '+91', country: 'IN' }`. */
export function phoneParts(e164: string): { national: string; callingCode: string; country: string | null } | null {
  const number = parsePhoneNumberFromString(e164)
  if (!number) return null
  return { national: number.nationalNumber, callingCode: `+${number.countryCallingCode}`, country: number.country ?? null }
}

/** An E.164 number as people read it: `+91 98765 43210`. */
export function readablePhone(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164
}

/** The text with the digits of any script and form (`९`, `೯`, `９`, `𝟡`) as 0 to 9. */
export function latinFigures(text: string): string {
  return text.normalize('NFKC').replaceAll(otherFigure, (figure) => String(valueOf(figure)))
}

const otherFigure = /(?![0-9])\p{Nd}/gu

/** What a phone can dial of a number that is no E.164 one: digits, `*` and `#`; empty if it has no digit. */
export function dialledDigits(text: string): string {
  const dialled = latinFigures(text).replaceAll(/[^\d*#]/g, '')
  return /\d/.test(dialled) ? dialled : ''
}

/** The ten digits of a script have consecutive code points. */
function valueOf(figure: string): number {
  const code = figure.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return value
}

/** The message for a field that has no valid phone number. */
export const notAPhoneNumber = 'is not a valid phone number: write it with the country code, such as +91 98450 12345'
