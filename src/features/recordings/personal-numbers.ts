import { isLuhn, isVerhoeff } from '../../kernel/checksums.ts'
import { latinFigures, toE164 } from '../../kernel/phone.ts'
import { readings } from './readings.ts'

export type Span = { readonly from: number; readonly to: number }
type Group = Span & { readonly digits: string; readonly separator: string }

/** What separates the groups of one number: people pause, and speech recognition writes a comma, a full stop or a new line. */
const separators = /^[\s\p{Cf}.,।()/+–-]{1,3}$/u
/** In numbers that are no list. */
const lightSeparators = /^(?:[\s\p{Cf}()+–-]{1,3}|,)$/u
const counted = 'token|room|bed|ward|floor|queue|serial|टोकन|कमरा|कमरे|बेड|वार्ड'
/** The words before a number that say whose it is. */
const cue = new RegExp(
  String.raw`(?:phone|mobile|cell|contact|whatsapp|card|account|a+dha+r|reference|call \p{L}{0,5} ?on|(?<!(?:${counted})\s)(?:number(?! of)|नंबर|नम्बर)|(?:फ़?|\u095e)ोन|मोबाइल|मोबाईल|कार्ड|आधार|खाता|संपर्क|संदर्भ)[^\d]{0,25}$`,
  'iu',
)
const cueChars = 60
/** A number of a card has up to 19 digits, in up to 5 groups; who reads out a phone number makes up to 10. */
const maxDigits = 19
const minDigits = 7
const maxGroups = 10
/** Without a country code. Numbers of other countries are found too, unless commas are in them. */
const country = 'IN'
const mobile = /^0?[6-9]\d{9}$/
const years = /^(?:19|20)\d\d$/
const printed = /^4 4 4(?: 4(?: 3)?)?$|^4 6 [45]$/

/**
 * Where a text has numbers that tell who somebody is, in figures of any script: of phones, cards, accounts, identity cards. Dates, readings, amounts
 * and other short numbers are none. Figures that are read out one by one are for others.
 */
export function personalNumbersIn(text: string): readonly Span[] {
  const plain = text.replaceAll(/\p{Nd}/gu, (figure) => latinFigures(figure).padEnd(figure.length, '\u2060'))
  return sequencesIn(plain).flatMap((sequence) => {
    const from = sequence[0]?.from ?? 0
    const isNamed = cue.test(plain.slice(Math.max(0, from - cueChars), from))
    const personal = new Set<Group>()
    // First what is certain, so that a token number before a phone number is not taken for a part of it.
    for (const isFound of [isChecked, isPhone, (part: readonly Group[]) => isLikely(part, isNamed)]) mark(sequence, personal, isFound)
    markRests(sequence, personal)
    return sequence.filter((group) => personal.has(group))
  })
}

function sequencesIn(plain: string): readonly (readonly Group[])[] {
  const read = [...plain.matchAll(readings)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }))
  const sequences: Group[][] = []
  let end = 0
  let next = 0
  for (const { index: from, 0: digits } of plain.matchAll(/\d+/g)) {
    while ((read[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1
    if ((read[next]?.from ?? Number.POSITIVE_INFINITY) <= from) continue
    const group = { digits, separator: plain.slice(end, from), from, to: from + digits.length }
    end = group.to
    const before = separators.test(group.separator) ? sequences.at(-1) : undefined
    if (before) before.push(group)
    else sequences.push([group])
  }
  return sequences
}

/** The longest parts that are found, from the left, among groups that are not marked. */
function mark(sequence: readonly Group[], personal: Set<Group>, isFound: (part: readonly Group[]) => boolean): void {
  for (let at = 0; at < sequence.length; at += 1) {
    const parts: (readonly Group[])[] = []
    for (let end = at, digits = 0; end < Math.min(sequence.length, at + maxGroups); end += 1) {
      const group = sequence[end]
      digits += group?.digits.length ?? 0
      if (!group || personal.has(group) || digits > maxDigits) break
      if (digits >= minDigits) parts.push(sequence.slice(at, end + 1))
    }
    const found = parts.findLast(isFound) ?? []
    for (const group of found) personal.add(group)
    at += Math.max(0, found.length - 1)
  }
}

/** A long group beside what is marked is a part of it: of a card, of which a figure was misunderstood. */
function markRests(sequence: readonly Group[], personal: Set<Group>): void {
  for (const [at, group] of sequence.entries()) {
    const [before, after] = [sequence[at - 1], sequence[at + 1]]
    const isBeside =
      (before && personal.has(before) && isLight([before, group])) || (after && personal.has(after) && isLight([group, after]))
    if (isBeside && isLong(group)) personal.add(group)
  }
}

/** A card or an Aadhaar, by its checksum, which a list of readings can have by chance: so commas are only between groups as they are printed. */
function isChecked(groups: readonly Group[]): boolean {
  const digits = digitsOf(groups)
  const isAadhaar = digits.length === 12 && /^[2-9]/.test(digits) && isVerhoeff(digits)
  const isCard = digits.length >= 13 && isLuhn(digits)
  if ((!isAadhaar && !isCard) || isRound(groups) || areYears(groups)) return false
  const isPrinted = printed.test(groups.map((group) => group.digits.length).join(' '))
  return isPrinted || (isLight(groups) && (groups.some(isLong) || digits.length === 12 || digits.length === 16))
}

/** Toll-free numbers, which start with 1, are nobody's. With commas or full stops only mobile numbers: others are too much like amounts. */
function isPhone(groups: readonly Group[]): boolean {
  const digits = digitsOf(groups)
  if (digits.length < 10 || isRound(groups) || areAlike(groups)) return false
  if (groups[0]?.separator.endsWith('+') === true) return isLight(groups) && toE164(`+${digits}`, undefined) !== null
  if (digits.startsWith('1') || toE164(digits, country) === null) return false
  if (!groups.some(isLong)) return isLight(groups) && mobile.test(digits)
  return isLight(groups) || (isEven(groups) && mobile.test(digits))
}

/** What has no checksum, or a wrong one because a figure was misunderstood. `isNamed`: the words before it say what it is. */
function isLikely(groups: readonly Group[], isNamed: boolean): boolean {
  const { length } = digitsOf(groups)
  if (isRound(groups)) return false
  if (groups.length === 1) return true
  if (isNamed) return length === 10 || groups.some(isLong)
  if (!groups.some(isLong) || areYears(groups)) return false
  if (groups.length === 4 && groups.every((group) => group.digits.length === 4)) return true
  return length === 8 ? groups.every(({ separator }, at) => at === 0 || separator.trim() === '') : length > 8 && isLight(groups)
}

/** As amounts and counts are. */
function isRound(groups: readonly Group[]): boolean {
  const all = groups.map(({ digits }) => digits)
  return all.length === 1 ? /^\d{3,4}0000$/.test(all[0] ?? '') : all.every((digits) => /^\d+00$/.test(digits))
}

/** As readings of the same thing are: 98 97 96 97 99. */
function areAlike(groups: readonly Group[]): boolean {
  const values = groups.map(({ digits }) => Number(digits))
  return groups.length > 2 && Math.max(...values) - Math.min(...values) <= 15
}

function areYears(groups: readonly Group[]): boolean {
  return groups.filter(isLong).every(({ digits }) => years.test(digits)) && groups.some(isLong)
}

function isEven([, ...others]: readonly Group[]): boolean {
  return new Set(others.map(({ separator }) => separator.trim())).size === 1
}

function isLong({ digits }: Group): boolean {
  return digits.length >= 4
}

function isLight([, ...others]: readonly Group[]): boolean {
  return others.every(({ separator }) => lightSeparators.test(separator))
}

function digitsOf(groups: readonly Group[]): string {
  return groups.map(({ digits }) => digits).join('')
}
