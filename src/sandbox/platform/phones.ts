import { getCountries, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import { badArguments } from './errors.ts'
import type { JsonObject } from './json.ts'

/**
 * A number in E.164 is split into national number, calling code and country. A national number stays as it is; its country and
 * calling code, if one is given, must fit each other.
 */
export function normalizePhones(value: JsonObject): JsonObject {
  const { primaryPhoneNumber: number, primaryPhoneCountryCode: country, primaryPhoneCallingCode: callingCode } = value
  const others = {
    ...('additionalPhones' in value ? { additionalPhones: value['additionalPhones'] ?? [] } : {}),
    ...('primaryPhoneCountryCode' in value ? { primaryPhoneCountryCode: country } : {}),
    ...('primaryPhoneCallingCode' in value ? { primaryPhoneCallingCode: callingCode } : {}),
  }
  if (number === undefined) return others
  if (typeof number !== 'string' || number === '') return { ...others, primaryPhoneNumber: null }
  return { ...others, ...splitNumber(number, { country: textOrNull(country), callingCode: textOrNull(callingCode) }) }
}

type Given = { readonly country: string | null; readonly callingCode: string | null }

function splitNumber(number: string, { country, callingCode }: Given): JsonObject {
  const assumed = country && isSupportedCountry(country) ? country : countryOf(callingCode)
  const parsed = parsePhoneNumberFromString(number, assumed ? { defaultCountry: assumed } : {})
  if (!parsed) {
    if (/^\+?[\d\s()./-]+$/.test(number)) return { primaryPhoneNumber: number }
    throw phoneError('INVALID_PHONE_NUMBER', `Provided phone number is invalid ${number}`)
  }
  if (country && parsed.country && parsed.country !== country) {
    throw phoneError('CONFLICTING_PHONE_COUNTRY_CODE', 'Provided and inferred country code are conflicting')
  }
  const inferred = `+${parsed.countryCallingCode}`
  if (callingCode && callingCode !== inferred) {
    throw phoneError('CONFLICTING_PHONE_CALLING_CODE', 'Provided and inferred calling code are conflicting')
  }
  return {
    primaryPhoneNumber: parsed.nationalNumber,
    primaryPhoneCallingCode: inferred,
    primaryPhoneCountryCode: country ?? parsed.country ?? null,
  }
}

function countryOf(callingCode: string | null) {
  return callingCode === null ? undefined : getCountries().find((country) => `+${getCountryCallingCode(country)}` === callingCode)
}

function phoneError(subCode: string, message: string): Error {
  return badArguments(subCode, message, message)
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
