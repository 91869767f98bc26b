import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseSync, Visitor } from 'oxc-parser'
import { readExecuted } from '../changed/record.ts'
import { machine } from './machine.ts'

/**
 * The inner loop of a developer, for docs/benchmarks.md: one pure test, and `npm test -- --changed` after one more line in a function of each of
 * some files of the features. `npm run bench:loop` (20 files of seed 1); `-- --count 3 --seed 2`; with `--choose` the chosen test files are only
 * counted. Run `npm test` before, so that it is known what each test file executes.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    choose: { type: 'boolean', default: false },
  },
})
const limits = { pureTestSeconds: 2, changedSeconds: 60 }
const pureTest = 'tests/recordings/mask-personal-data.test.ts'

/** Of the files that have a function with more than one line. */
function chooseFiles(): readonly string[] {
  const all = globSync('src/features/**/*.ts').map((path) => path.replaceAll('\\', '/'))
  const places = (path: string): string => createHash('sha256').update(`${values.seed} ${path}`).digest('hex')
  const byChance = all.filter((path) => bodiesOf(path).length > 0).toSorted((left, right) => (places(left) < places(right) ? -1 : 1))
  return byChance.slice(0, Number(values.count))
}

/** Where the bodies of its functions begin. */
function bodiesOf(path: string): readonly number[] {
  const bodies: number[] = []
  const note = ({ body }: { readonly body: { readonly type: string; readonly start: number } | null }): void => {
    if (body?.type === 'BlockStatement') bodies.push(body.start + 1)
  }
  new Visitor({ FunctionDeclaration: note, FunctionExpression: note, ArrowFunctionExpression: note }).visit(
    parseSync(path, readFileSync(path, 'utf8')).program,
  )
  return bodies
}

type Run = { readonly seconds: number; readonly output: string; readonly passed: boolean }

function run(...parameters: readonly string[]): Run {
  const startedAt = performance.now()
  const { stdout, stderr, status } = spawnSync('npm', ['test', '--', ...parameters], { encoding: 'utf8', maxBuffer: 100_000_000 })
  return { seconds: (performance.now() - startedAt) / 1_000, output: stdout + stderr, passed: status === 0 }
}

/** Runs what one more line in the middle one of its functions chooses, and takes the line out again. */
function runAfterChangeOf(path: string): Run {
  const source = readFileSync(path, 'utf8')
  const bodies = bodiesOf(path)
  const at = bodies[Math.floor(bodies.length / 2)] ?? 0
  try {
    writeFileSync(path, `${source.slice(0, at)}\n  void 0${source.slice(at)}`)
    return run('--changed', ...(values.choose ? ['--list'] : []))
  } finally {
    writeFileSync(path, source)
  }
}

function median(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[Math.floor(figures.length / 2)] ?? 0
}

if (execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }) !== '')
  throw new Error('Commit first: this changes files and restores them')

console.log(machine())
const pure = median([1, 2, 3, 4, 5].map(() => run(pureTest).seconds))
console.log(`one pure test, the middle one of five runs: ${pure.toFixed(1)} s (at most ${limits.pureTestSeconds})`)
const known = readExecuted()
console.log(`what is executed is known of ${known.size} of ${globSync('tests/**/*.test.ts').length} test files\n`)
const runs = chooseFiles().map((path) => {
  const { seconds, output, passed } = runAfterChangeOf(path)
  const files = Number(/(\d+) of \d+ test files may notice/.exec(output)?.[1] ?? Number.NaN)
  console.log(`${path}: ${files} test files, ${seconds.toFixed(1)} s${passed ? '' : ', FAILED'}`)
  return { seconds, files, passed }
})
const middle = median(runs.map(({ seconds }) => seconds))
console.log(
  `\nthe middle one of ${runs.length}: ${median(runs.map(({ files }) => files))} test files, ${middle.toFixed(1)} s (at most ${limits.changedSeconds})`,
)
console.log('\nthe 25 test files that take longest, by what is known:')
const byTime = [...readExecuted().values()].toSorted((left, right) => right.ms - left.ms)
for (const { test, ms } of byTime.slice(0, 25)) console.log(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${test}`)
if (pure > limits.pureTestSeconds || middle > limits.changedSeconds || runs.some(({ passed }) => !passed)) process.exitCode = 1
