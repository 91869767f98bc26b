import { isLuhn, isVerhoeff } from '../../kernel/checksums.ts'
import { toE164 } from '../../kernel/phone.ts'
import {
  areAlike,
  areDotted,
  areNear,
  areYears,
  digitsOf,
  type Groups,
  isEven,
  isLight,
  isList,
  isLong,
  isRound,
  lengthsOf,
} from './number-groups.ts'

/** What the words before a run of groups say of it. */
type Context = { readonly isNamed: boolean; readonly isMeasured: boolean }

/** Without a country code. Numbers of other countries are found too, unless commas are in them. */
const country = 'IN'
const mobile = /^(?:0|91)?[6-9]\d{9}$/
/** An area code of two to four figures, and the rest, of one or two groups. */
const landline = /^(?:2 (?:8|4 4)|3 (?:7|3 4|4 3)|4 (?:6|3 3))$/
/** A country code, and the rest. */
const abroad = /^[1-3] /
const printed = /^(?:2 )?4 4 4$|^4 4 4 4(?: 3)?$|^4 6 [45]$/

/**
 * Which groups of a sequence are one number that tells who somebody is. First what is certain, so that a token number before a phone number is not
 * taken for a part of it.
 */
export const identities: readonly ((groups: Groups, context: Context, sequence: Groups) => boolean)[] = [isChecked, isPhone, isLikely]

/** A card or an Aadhaar, by its checksum, which a list of readings can have by chance: so commas are only between groups as they are printed. */
function isChecked(groups: Groups, context: Context): boolean {
  const digits = digitsOf(groups)
  const isAadhaar = digits.length === 12 && /^[2-9]/.test(digits) && isVerhoeff(digits)
  const isCard = digits.length >= 13 && isLuhn(digits)
  if ((!isAadhaar && !isCard) || isRound(groups) || areYears(groups) || !isList(groups)) return false
  const isPrinted = printed.test(lengthsOf(groups))
  const hasCommas = groups.slice(1).some(({ separator }) => separator.includes(','))
  const isReading = context.isMeasured ? groups.length > 1 && (!isPrinted || hasCommas || areNear(groups)) : hasCommas && areNear(groups)
  if (isReading && !context.isNamed) return false
  return isPrinted || (isLight(groups) && (digits.length === 12 || digits.length === 16))
}

/** A valid number that is named, or grouped as a phone number is. Toll-free numbers, which start with 1, are nobody's. */
function isPhone(groups: Groups, context: Context, sequence: Groups): boolean {
  const digits = digitsOf(groups)
  if (digits.length < 10 || digits.length === groups.length || (context.isMeasured && !context.isNamed && groups.length > 1)) return false
  if (groups[0]?.separator.endsWith('+') === true) return isLight(groups) && toE164(`+${digits}`, undefined) !== null
  if (digits.startsWith('1') || !isGrouped(groups, digits, context.isNamed || isNoList(groups, sequence))) return false
  if (!(context.isNamed && isLight(groups)) && (isRound(groups) || areAlike(groups))) return false
  // Comes last, because it takes long.
  const e164 = toE164(digits, country)
  if (e164 === null) return false
  return mobile.test(digits) || context.isNamed || digits.startsWith('0') || !e164.startsWith('+91') || landline.test(lengthsOf(groups))
}

/** With commas or full stops only mobile numbers: others are too much like amounts. */
function isGrouped(groups: Groups, digits: string, isNumber: boolean): boolean {
  const lengths = lengthsOf(groups)
  if (!mobile.test(digits))
    return digits.length <= 15 && isLight(groups) && groups.some(isLong) && (isNumber || abroad.test(lengths) || landline.test(lengths))
  if (!groups.some(isLong)) return isNumber && (isLight(groups) || areDotted(groups))
  return isLight(groups) || isEven(groups) || /^(?:2 )?5 /.test(lengths)
}

/** Short groups that are no readings: 984 50 123 45, or 98 45 01 23 45, or five pairs and nothing else. */
function isNoList(groups: Groups, sequence: Groups): boolean {
  const isPairs = groups.length === sequence.length && groups.length === 5 && groups.every(({ digits }) => digits.length === 2)
  return groups[0]?.digits.length === 3 || groups.some(({ digits }) => digits.startsWith('0')) || isPairs
}

/** What has no checksum, or a wrong one because a figure was misunderstood. */
function isLikely(groups: Groups, context: Context): boolean {
  const { length } = digitsOf(groups)
  // Figure by figure it is for others, whole.
  if (isRound(groups) || length === groups.length) return false
  if (groups.length === 1) return true
  if (!isList(groups)) return false
  if (context.isNamed)
    return (
      length === 10 ||
      (length > 10 && isLight(groups)) ||
      groups.some(isLong) ||
      groups.slice(1).every(({ separator }) => separator === ',')
    )
  return isLight(groups) && !context.isMeasured && !areNear(groups) && printed.test(lengthsOf(groups))
}
