import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { maskPersonalData } from '../../src/features/recordings/mask-personal-data.ts'

/** A line is a sentence; ⟦ ⟧ holds what tells who somebody is; ` | ` begins the speaker's next utterance. */
const read = async (name: string): Promise<readonly string[]> => {
  const text = await readFile(new URL(`../fixtures/masking/${name}.txt`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}
const wordOrFigures = /[\p{L}\p{M}]+|\p{Nd}/gu

function hidden(identity: string): string {
  if (/@| (?:dot|डॉट|at) /.test(identity)) return '[e-mail]'
  if (/^[A-Z]+\d+[A-Z]$/i.test(identity)) return '•'.repeat(identity.length)
  return identity.replaceAll(wordOrFigures, '•')
}

const judged = [...(await read('english')), ...(await read('hindi'))].map((sentence) => {
  const parts = sentence.split(/[⟦⟧]/)
  const masked = maskPersonalData(parts.join('').split(' | ')).join(' | ')
  const inside = parts.filter((...[, index]) => index % 2 === 1).map(hidden)
  const expected = parts.map((part, index) => (index % 2 === 1 ? hidden(part) : part)).join('')
  const dots = (text: string): number => text.match(/•|\[e-mail\]/g)?.length ?? 0
  return {
    sentence,
    masked,
    isMissed: dots(masked) < dots(inside.join('')) || inside.some((mask) => !masked.includes(mask)),
    isFalseAlarm: masked !== expected && dots(masked) > dots(expected),
    isRight: masked === expected,
  }
})

test('in 400 sentences each identity is hidden, and readings, dates, doses, amounts and tokens stay', () => {
  const shown = (name: string, found: typeof judged): readonly string[] => found.map(({ masked }) => `${name}: ${masked}`)
  const missed = judged.filter(({ isMissed }) => isMissed)
  const falseAlarms = judged.filter(({ isFalseAlarm }) => isFalseAlarm)
  process.stdout.write([`${judged.length} sentences`, ...shown('missed', missed), ...shown('false alarm', falseAlarms)].join('\n') + '\n')
  expect(judged.length).toBeGreaterThanOrEqual(400)
  expect(missed).toEqual([])
  // Nothing tells these from a mobile number that somebody reads out.
  expect(falseAlarms.map(({ sentence }) => sentence)).toEqual(['Between 65450 and 73210 people came.', 'We counted 45150 60230 75310.'])
  expect(judged.filter(({ isRight }) => !isRight)).toEqual(falseAlarms)
})
