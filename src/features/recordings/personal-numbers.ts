import { latinFigures } from '../../kernel/phone.ts'
import { identities } from './identities.ts'
import { fillers, isMeasured, isNamed, isRecalled } from './number-cues.ts'
import { areNearPairs, areOfOneKind, type Group, type Groups, isLight, isLong, type Span } from './number-groups.ts'
import { readings } from './readings.ts'

/** What separates the groups of one number: people pause, and speech recognition writes a comma, a full stop or a new line. */
const separators = new RegExp(
  String.raw`^(?:[\s\p{Cf}.,।()/+–-]{1,3}|[\s.,;:…-]{0,4}(?:(?:${fillers})[\s,…]{1,3}|[;:…]\s?|\.{3}\s?){1,2})$`,
  'iu',
)
/** A number of a card has up to 19 digits, in up to 5 groups; who reads out a phone number makes up to 10. */
const maxDigits = 19
const minDigits = 7
const maxGroups = 10

/**
 * Where a text has numbers that tell who somebody is, in figures of any script: of phones, cards, accounts, identity cards. Dates, readings, amounts
 * and other short numbers are none. Figures that are read out one by one are for others.
 */
export function personalNumbersIn(text: string): readonly Span[] {
  const plain = text.replaceAll(/\p{Nd}/gu, (figure) => latinFigures(figure).padEnd(figure.length, '\u2060'))
  return sequencesIn(plain).flatMap((sequence) => {
    const from = sequence[0]?.from ?? 0
    const measured = (isMeasured(plain, from) && areOfOneKind(sequence)) || (isRecalled(plain, from) && areNearPairs(sequence))
    const context = { isNamed: isNamed(plain, from), isMeasured: measured }
    const personal = new Set<Group>()
    for (const isFound of identities) mark(sequence, personal, (part) => isFound(part, context, sequence))
    markRests(sequence, personal)
    return sequence.filter((group) => personal.has(group))
  })
}

function sequencesIn(plain: string): readonly Groups[] {
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
function mark(sequence: Groups, personal: Set<Group>, isFound: (part: Groups) => boolean): void {
  for (let at = 0; at < sequence.length; at += 1) {
    const parts: Groups[] = []
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
function markRests(sequence: Groups, personal: Set<Group>): void {
  for (const [at, group] of sequence.entries()) {
    const [before, after] = [sequence[at - 1], sequence[at + 1]]
    const isBeside =
      (before && personal.has(before) && isLight([before, group])) || (after && personal.has(after) && isLight([group, after]))
    if (isBeside && isLong(group)) personal.add(group)
  }
}
