import { parseArgs } from 'node:util'
import { type Figure, say, startReport } from './stage/report.ts'
import { inOrderOf } from './mutations/choose-mutations.ts'
import { testsFor } from './mutations/choose-tests.ts'
import { hashOfTests, judge, type Measure } from './mutations/judge.ts'
import { type Mutation, mutationsOf } from './mutations/operators.ts'
import { measureReach, readReachMap, testFiles, unmeasuredTests } from './mutations/reach-map.ts'
import { readResults, type Result, type Results, writeResults } from './mutations/results.ts'
import { mutatedSources } from './mutations/sources.ts'
import { summarise } from './mutations/summary.ts'
import { createTree } from './mutations/tree.ts'
import { createTypeCheck } from './mutations/types.ts'

const usage = `Usage: npm run prove:mutations [-- OPTIONS]
Plants small changes of behaviour, one at a time, in a copy of the tree, and runs the tests that may notice it.
  --seed TEXT      which mutations, and in which order; may be given several times (1 and 2)
  --count N        how many of each seed (200)
  --only FOLDER    only those in a folder of src, for example features/calls
  --workers N      how many at a time (2)
  --wait SECONDS   how long a test waits for something before it fails (10); longer on a busy machine
  --measure N      only measures which blocks of the sources the next N test files reach; without it, a run first measures all that changed
  --no-measure     does not measure: of the other tests, those that are near by folder and imports are used
  --list           only lists the chosen mutations and their tests
The measurements and results are in tests/.cache/mutations; a run continues with them.`

type Options = {
  readonly seed: string
  readonly count: number
  readonly only: string
  readonly workers: number
  readonly waitMs: number
  readonly isList: boolean
}

/** The first mutations in the order of the seed that the compiler accepts. */
function choose({ seed, count, only }: Options, results: Results): readonly Mutation[] {
  const sources = mutatedSources().filter(({ path }) => path.startsWith(`src/${only}`))
  using types = createTypeCheck()
  const chosen: Mutation[] = []
  for (const mutation of inOrderOf(seed, sources.flatMap(mutationsOf))) {
    if (chosen.length >= count) break
    const known = results.get(mutation.id)
    const isKnown = known !== undefined && known.source === mutation.source.id
    if (isKnown ? known.verdict !== 'refused' : types.accepts(mutation)) chosen.push(mutation)
    else if (!isKnown) results.set(mutation.id, resultOf(mutation, { verdict: 'refused', by: '', against: '', ms: 0 }))
  }
  return chosen
}

function resultOf({ source, operator, line, shown }: Mutation, outcome: Pick<Result, 'verdict' | 'by' | 'against' | 'ms'>): Result {
  return { source: source.id, operator, line, shown, ...outcome }
}

/** A killed one stays killed while its source is the same; a survivor while its tests are. */
function isKnown(mutation: Mutation, results: Results, { map, tests }: Measure): boolean {
  const known = results.get(mutation.id)
  if (known === undefined || known.verdict === 'refused' || known.source !== mutation.source.id) return false
  return known.verdict === 'killed' || known.against === hashOfTests(testsFor(mutation, map, tests))
}

async function judgeAll(mutations: readonly Mutation[], { workers, waitMs }: Options, results: Results): Promise<void> {
  const measure: Measure = { map: readReachMap(), tests: testFiles(), waitMs }
  const waiting = mutations.filter((mutation) => !isKnown(mutation, results, measure))
  const total = waiting.length
  const work = async (): Promise<void> => {
    using tree = createTree()
    for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
      const outcome = await judge(tree, mutation, measure)
      results.set(mutation.id, resultOf(mutation, outcome))
      writeResults(results)
      say(`${total - waiting.length}/${total} ${(outcome.ms / 1_000).toFixed(0)} s ${outcome.verdict} ${lineOf(mutation)}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, total) }, work))
}

function lineOf({ source, line, operator, shown }: Mutation): string {
  return `${source.path}:${line} ${operator}: ${shown}`
}

type SeedReport = { readonly figures: readonly Figure[]; readonly details: string }

/** Judges the mutations of one seed. */
async function proveSeed(options: Options): Promise<SeedReport> {
  const startedAt = performance.now()
  const results = readResults()
  const mutations = choose(options, results)
  writeResults(results)
  say(`${mutations.length} mutations chosen in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  if (options.isList) {
    const [map, tests] = [readReachMap(), testFiles()]
    for (const mutation of mutations) console.log(`${lineOf(mutation)}\n    ${testsFor(mutation, map, tests).join(' ')}`)
    return { figures: [], details: '' }
  }
  await judgeAll(mutations, options, results)
  const found = mutations.flatMap(({ id }) => results.get(id) ?? [])
  for (const [index, result] of found.entries())
    if (result.verdict !== 'killed') console.log(`${result.verdict}: ${mutations[index] ? lineOf(mutations[index]) : ''}`)
  const { text, figures } = summarise(found)
  const minutes = (found.reduce((sum, { ms }) => sum + ms, 0) / options.workers / 60_000).toFixed(0)
  return {
    figures: figures.map(({ claim, ...rest }) => ({ claim: `Seed ${options.seed}: ${claim}`, ...rest })),
    details: `\nSeed ${options.seed}, ${found.length} mutations, ${minutes} minutes with ${options.workers} workers:\n\n${text}\n`,
  }
}

async function main(seeds: readonly string[], options: Omit<Options, 'seed'>): Promise<void> {
  const report = startReport('Planted mutations')
  const reports: SeedReport[] = []
  for (const seed of seeds) reports.push(await proveSeed({ ...options, seed }))
  if (options.isList) return
  report(
    reports.flatMap(({ figures }) => figures),
    reports.map(({ details }) => details).join(''),
  )
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true, default: ['1', '2'] },
    count: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '2' },
    wait: { type: 'string', default: '10' },
    measure: { type: 'string' },
    'no-measure': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const options = {
  count: Number(values.count),
  only: values.only,
  workers: Number(values.workers),
  waitMs: 1_000 * Number(values.wait),
  isList: values.list,
}
if (values.help) console.log(usage)
else if (values.measure !== undefined) await measureReach(unmeasuredTests(readReachMap()).slice(0, Number(values.measure)), options.workers)
else {
  if (!values['no-measure'] && !values.list) await measureReach(unmeasuredTests(readReachMap()), options.workers)
  await main(values.seed, options)
}
