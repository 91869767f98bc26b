import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Outcome, readFlows, replay } from '../harness/recorded-flows.ts'

const folder = new URL('../fixtures/platform/recorded/', import.meta.url)
const flows = readFlows(new URL('flows-edge.jsonl', folder))

/** What the sandbox does not play, by the beginning of the flows' names. */
const exclusions = z
  .array(z.strictObject({ flows: z.string(), reason: z.string() }))
  .parse(JSON.parse(readFileSync(new URL('exclusions.json', folder), 'utf8')))
const isExcluded = ({ name }: { readonly name: string }): boolean => exclusions.some((row) => name.startsWith(row.flows))
/** Shares of the flows; the answers of the recorded cascades of a refused object are the most of what differs. */
const limits = { sameVerdict: 0.98, sameAnswer: 0.93 }
const namesOf = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ name }) => name)

/** Edge cases as a real server of version 2.21 answered them; what the stand-in accepts beyond these, a test of the service cannot see. */
describe('the recorded edge cases', () => {
  let all: readonly Outcome[] = []
  let counted: readonly Outcome[] = []
  beforeAll(async () => {
    all = await replay(flows)
    counted = all.filter((outcome) => !outcome.isSetup && !isExcluded(outcome))
  })

  test('are prepared as they were on the real server', () => {
    expect(all.length).toBeGreaterThan(1_400)
    expect(namesOf(all.filter(({ isSetup, found }) => isSetup && found.length > 0))).toEqual([])
  })

  test('that the platform refuses are refused', () => {
    const accepted = namesOf(counted.filter(({ isAcceptedHere, isAcceptedThere }) => isAcceptedHere && !isAcceptedThere))
    expect(accepted).toEqual([])
  })

  test('have the same verdict, nearly all', () => {
    const others = counted.filter(({ isAcceptedHere, isAcceptedThere }) => isAcceptedHere !== isAcceptedThere)
    expect(1 - others.length / counted.length, namesOf(others).join(', ')).toBeGreaterThanOrEqual(limits.sameVerdict)
  })

  test('have the same answer, mostly', () => {
    const same = counted.filter(({ found }) => found.length === 0)
    expect(same.length / counted.length).toBeGreaterThanOrEqual(limits.sameAnswer)
  })

  test('are left out for a written reason, a few, and then refused as not in the sandbox', () => {
    const left = all.filter((outcome) => !outcome.isSetup && isExcluded(outcome))
    expect(left.length).toBeLessThanOrEqual((left.length + counted.length) / 10)
    expect(namesOf(left.filter(({ answer }) => !JSON.stringify(answer.body).includes('is not in the sandbox')))).toEqual([])
    expect(exclusions.filter((row) => !left.some(({ name }) => name.startsWith(row.flows)))).toEqual([])
  })
})
