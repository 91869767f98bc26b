import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { withEdits } from './edits.ts'
import type { Mutation } from './operators.ts'
import type { ReachMap } from './reach-map.ts'
import { runTests } from './run-tests.ts'
import { hashOf, root } from './sources.ts'
import { testsFor } from './choose-tests.ts'
import type { Tree } from './tree.ts'

export type Verdict = 'killed' | 'survived' | 'not reached'
/** `by`: the test file and what it said. `against`: a hash of the tests that were chosen, so that a survivor is judged again by others. */
export type Outcome = { readonly verdict: Verdict; readonly by: string; readonly against: string; readonly ms: number }

/** `tests`: all test files; `waitMs`: how long a test waits for something before it fails. */
export type Measure = { readonly map: ReachMap; readonly tests: readonly string[]; readonly waitMs: number }

/** Plants the mutation in the tree and runs the tests that may notice it, until one fails. */
export async function judge(tree: Tree, mutation: Mutation, measure: Measure): Promise<Outcome> {
  const startedAt = performance.now()
  const { map, waitMs } = measure
  const tests = testsFor(mutation, map, measure.tests)
  const outcome = (verdict: Verdict, by: string): Outcome => ({
    verdict,
    by,
    against: hashOfTests(tests),
    ms: Math.round(performance.now() - startedAt),
  })
  if (tests.length === 0) return outcome('not reached', '')
  tree.write(mutation.source.path, withEdits(mutation.source.text, mutation.edits))
  try {
    for (let rest = tests; rest.length > 0;) {
      const report = await runTests(tree, rest, { deadlineMs: deadline(rest, map), waitMs, bail: true })
      if (!report) return outcome('killed', `${rest.join(', ')}: did not end`)
      const failed = report.files.find(({ state }) => state === 'failed')
      if (!failed) return report.unhandled[0] === undefined ? outcome('survived', rest.join(', ')) : outcome('killed', report.unhandled[0])
      const by = `${failed.path}: ${failed.failure ?? ''}`
      if (!isOfTime(by) || (await failsAgain(tree, failed.path, measure))) return outcome('killed', by)
      rest = rest.slice(rest.indexOf(failed.path) + 1)
    }
    return outcome('survived', tests.join(', '))
  } finally {
    tree.restore(mutation.source.path)
  }
}

/** Three times what the tests need otherwise: what takes longer hangs. */
function deadline(tests: readonly string[], map: ReachMap): number {
  return 30_000 + 3 * tests.reduce((sum, test) => sum + (map[test]?.ms ?? 20_000), 0)
}

/** A failure that a busy machine may cause too. */
function isOfTime(failure: string): boolean {
  return /timed? ?out|within|waited|deadline|abort/i.test(failure)
}

async function failsAgain(tree: Tree, test: string, { map, waitMs }: Measure): Promise<boolean> {
  const report = await runTests(tree, [test], { deadlineMs: deadline([test], map), waitMs, bail: true })
  return report === null || report.files.some(({ state }) => state === 'failed') || report.unhandled.length > 0
}

export function hashOfTests(tests: readonly string[]): string {
  return hashOf(tests.map((path) => path + readFileSync(join(root, path), 'utf8')).join('\n'))
}
