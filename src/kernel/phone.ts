import { type CountryCode, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

export type { CountryCode }

/** ISO 3166 alpha-2 code of a country that has phone numbers. */
export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text)
}

/**
 * A phone number in E.164 (`+919876543210`), from the digits of any script; null if the text is not a valid number. A wrong prefix is left out
 * (`+09876543210`, `0919876543210`).
 */
export function toE164(text: string, defaultCountry: CountryCode | undefined): string | null {
  const written = latinFigures(text)
  return firstValid([written, ...homeReadings(digitsIn(written), defaultCountry)], defaultCountry)
}

/** The same for a number that a telephone network reports: not valid at home, it may be one of another country without its `+`. A person may mistype. */
export function reportedToE164(text: string, defaultCountry: CountryCode): string | null {
  const abroad = withoutZeros(digitsIn(latinFigures(text)))
  return toE164(text, defaultCountry) ?? (abroad.length < shortestAbroad ? null : firstValid([`+${abroad}`], defaultCountry))
}

/** Longer than a national number in most countries, which it would be with a wrong digit. */
const shortestAbroad = 11
/** E.164 has 15; the rest is for prefixes. */
const mostDigits = 25

function firstValid(readings: readonly string[], country: CountryCode | undefined): string | null {
  for (const reading of readings) {
    const number = parsePhoneNumberFromString(reading, country)
    if (number?.isValid()) return number.number
  }
  return null
}

/** None if it is not one number, or not only a number. */
function digitsIn(written: string): string {
  const digits = written.replaceAll(/\D/g, '')
  return digits.length > mostDigits || /[\p{L},;]/u.test(written) ? '' : digits
}

/** What the digits may mean at home, the likeliest first: without zeros, and without the country's own code, which may be there twice. */
function homeReadings(digits: string, home: CountryCode | undefined): readonly string[] {
  if (home === undefined) return digits.length < shortestAbroad ? [] : [`+${withoutZeros(digits)}`]
  const code = getCountryCallingCode(home)
  const found = [withoutZeros(digits)]
  for (let rest = found[0] ?? ''; rest.startsWith(code); found.push(rest)) rest = withoutZeros(rest.slice(code.length))
  return found
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

/** What a phone can dial of a number that is no E.164 one: digits, `*` and `#`, of the part that has the most; empty if it has no digit. */
export function dialledDigits(text: string): string {
  const parts = latinFigures(text).split(/[^\d*#\s()+-]+/)
  const dialled = parts.map((part) => part.replaceAll(/[^\d*#]/g, ''))
  const [longest = ''] = dialled.filter((part) => /\d/.test(part)).toSorted((one, other) => other.length - one.length)
  return longest
}

/** The ten digits of a script have consecutive code points. */
function valueOf(figure: string): number {
  const code = figure.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return value
}

/** The message for a field that has no valid phone number. */
export const notAPhoneNumber = 'is not a valid phone number: write it with + and the country code, such as +91 98450 12345'
