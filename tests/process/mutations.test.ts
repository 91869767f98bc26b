import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { blocksOf, withProbes } from '../prove/mutations/blocks.ts'
import { inOrderOf } from '../prove/mutations/choose-mutations.ts'
import { withEdits } from '../prove/mutations/edits.ts'
import { mutationsOf } from '../prove/mutations/operators.ts'
import { mutatedSources } from '../prove/mutations/sources.ts'
import { summarise } from '../prove/mutations/summary.ts'

/** What each mutation makes of a source of one line. */
function mutated(text: string): readonly string[] {
  return mutationsOf({ path: 'src/kernel/small.ts', text, id: 'small' }).map(
    ({ operator, edits }) => `${operator}: ${withEdits(text, edits)}`,
  )
}

describe('mutations', () => {
  test.each([
    ['if (a) b()', ['condition negated: if (!(a)) b()']],
    ['f(a < b)', ['comparison moved by one: f(a <= b)']],
    ['f(a >= b)', ['comparison moved by one: f(a > b)']],
    ['await f(a)', ['await dropped: f(a)']],
    ['f(a).catch(g)', ['catch dropped: f(a)']],
    ['try { f() } catch { g() }', ['catch dropped: try { f() } catch (thrown) { throw thrown }']],
    ['f({ a, b: c.d })', ['fields swapped: f({ a: c.d, b: a })']],
    ['f({ a: c, b: c })', []],
    ['f(`call:${a.b}:${c}`)', ['key part dropped: f(`call::${c}`)', 'key part dropped: f(`call:${a.b}:`)']],
    ['while (f()) { if (a) { b(); continue } }', expect.arrayContaining(['guard removed: while (f()) {  }'])],
    ['log.warn({ a, b }, `in ${a}: ${b}`)', []],
    ['f(`${a} of ${b}`)', []],
  ])('%s', (text, expected) => expect(mutated(text)).toEqual(expected))

  test('a seed has one order, whatever else there is', () => {
    const all = mutatedSources().slice(0, 30).flatMap(mutationsOf)
    const order = inOrderOf('1', all).map(({ id }) => id)
    const fewer = inOrderOf(
      '1',
      all.filter(({ operator }) => operator === 'guard removed'),
    ).map(({ id }) => id)
    expect(new Set(order).size).toBe(all.length)
    expect(order).not.toEqual(inOrderOf('2', all).map(({ id }) => id))
    expect(order.filter((id) => fewer.includes(id))).toEqual(fewer)
  })

  test('probes leave every source a program', () => {
    const sources = mutatedSources()
    const faults = sources.flatMap(({ path, text }) => parseSync(path, withProbes(path, text, { first: 0, module: 'm' })).errors)
    expect(faults).toEqual([])
    expect(sources.flatMap(({ path, text }) => blocksOf(path, text)).length).toBeGreaterThan(sources.length)
  })

  test('a share below its target is named', () => {
    const result = { operator: '', line: 1, shown: '', by: '', against: '', ms: 1 }
    const { text, figures } = summarise([
      { ...result, source: 'src/features/calls/dialling/dial.ts@1', verdict: 'killed' },
      { ...result, source: 'src/features/calls/dialling/dial.ts@1', verdict: 'survived' },
      { ...result, source: 'src/kernel/ids.ts@1', verdict: 'killed' },
    ])
    expect(text).toContain('| features/calls | 2 | 1 | 1 | 0 |')
    expect(figures).toEqual([
      { claim: 'features: at least 80 % of the planted mutations are killed', figure: '1 of 2, 50 %', holds: false },
      { claim: 'elsewhere: at least 70 % of the planted mutations are killed', figure: '1 of 1, 100 %', holds: true },
    ])
  })
})
