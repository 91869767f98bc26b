import { getCountries, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import { badArguments } from './errors.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { filled, listOf } from './scalar-kinds.ts'

/** A number is split into national number, calling code and country; a national number needs one of the two, and all must fit each other. */
export function normalizePhones(value: JsonObject): JsonObject {
  const { additionalPhones, primaryPhoneNumber: number, primaryPhoneCountryCode: country, primaryPhoneCallingCode: callingCode } = value
  const phone = phoneOf({ number, country, callingCode })
  const primary = {
    primaryPhoneNumber: phone.number,
    primaryPhoneCountryCode: phone.country,
    primaryPhoneCallingCode: phone.callingCode,
  }
  return {
    ...Object.fromEntries(Object.entries(primary).filter(([name, part]) => part !== null || name in value)),
    ...('additionalPhones' in value ? { additionalPhones: filled(listOf(additionalPhones).map(additionalPhone)) } : {}),
  }
}

function additionalPhone(value: unknown): JsonObject {
  if (!isJsonObject(value)) return {}
  const { number, callingCode, countryCode } = value
  const phone = phoneOf({ number, country: countryCode, callingCode })
  return { number: phone.number, callingCode: phone.callingCode, countryCode: phone.country }
}

type Given = { readonly number: unknown; readonly country: unknown; readonly callingCode: unknown }
type Phone = { readonly number: string | null; readonly country: string | null; readonly callingCode: string | null }

function phoneOf(given: Given): Phone {
  const number = textOrNull(given.number)
  const country = textOrNull(given.country)
  const callingCode = textOrNull(given.callingCode)
  const digits = callingCode?.replace('+', '')
  const countries = digits === undefined ? [] : getCountries().filter((name) => getCountryCallingCode(name) === digits)
  if (country !== null && !isSupportedCountry(country)) throw phoneError('INVALID_PHONE_COUNTRY_CODE', `Invalid country code ${country}`)
  if (callingCode !== null && countries.length === 0) {
    throw phoneError('INVALID_PHONE_CALLING_CODE', `Invalid calling code ${callingCode}`)
  }
  if (country !== null && callingCode !== null && !countries.includes(country)) throw conflict('', 'country code and calling code')
  if (number === null) return { number, country, callingCode }
  const [only = null] = countries
  const assumed = country ?? only
  const parsed = parsePhoneNumberFromString(number, assumed === null ? {} : { defaultCountry: assumed })
  if (!parsed) throw phoneError('INVALID_PHONE_NUMBER', `Provided phone number is invalid ${number}`)
  if (country !== null && parsed.country !== undefined && parsed.country !== country) throw conflict('COUNTRY', 'inferred country code')
  if (digits !== undefined && parsed.countryCallingCode !== digits) throw conflict('CALLING', 'inferred calling code')
  return {
    number: parsed.nationalNumber,
    country: country ?? parsed.country ?? null,
    callingCode: callingCode ?? `+${parsed.countryCallingCode}`,
  }
}

function conflict(part: 'COUNTRY' | 'CALLING' | '', what: string): Error {
  if (part === '') return phoneError('CONFLICTING_PHONE_CALLING_CODE_AND_COUNTRY_CODE', `Provided ${what} are conflicting`)
  return phoneError(`CONFLICTING_PHONE_${part}_CODE`, `Provided and ${what} are conflicting`)
}

function phoneError(subCode: string, message: string): Error {
  return badArguments(subCode, message, message)
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
