import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { chooseTests, nothingToRun, type Tree } from '../changed/choose-tests.ts'
import { importsOf } from '../changed/import-graph.ts'
import { type Executed, readExecuted } from '../changed/record.ts'
import { unitEndingAt, unitsOf } from '../changed/units.ts'

const source = `import { log } from './log.ts'
export type Call = { readonly id: string }
const limits = { calls: 5 }
export function dial(id: string) {
  return [id].map((each) => each.trim())
}
export const hangUp = () => {
  log(limits)
}
`

describe('what of a source has changed', () => {
  const hashes = (text: string) => unitsOf('a.ts', text).functions.map(({ hash }) => hash)
  const outside = (text: string) => unitsOf('a.ts', text).outside

  test.each([
    { what: 'a comment in a function', text: source.replace('  log(limits)', '  // Why.\n  log(limits) // here') },
    { what: 'a comment before a function', text: source.replace('export function', '/** Calls. */\nexport function') },
    { what: 'a type', text: source.replace('readonly id: string', 'readonly id: number') },
    { what: 'an import that nothing uses', text: `import { mute } from './mute.ts'\n${source}` },
  ])('$what is nothing', ({ text }) => {
    expect(text).not.toBe(source)
    expect(hashes(text)).toEqual(hashes(source))
    expect(outside(text)).toBe(outside(source))
  })

  test.each([
    { what: 'a function', text: source.replace('log(limits)', 'log(null)'), gone: 1, isOutside: false },
    { what: 'a function in another one', text: source.replace('each.trim()', 'each'), gone: 1, isOutside: false },
    { what: 'a function around another one', text: source.replace('[id]', '[id, id]'), gone: 2, isOutside: false },
    { what: 'what an imported name is', text: source.replace("'./log.ts'", "'./console.ts'"), gone: 1, isOutside: false },
    { what: 'an import for its effect', text: `import './log.ts'\n${source}`, gone: 0, isOutside: true },
    { what: 'a new function', text: `${source}export function mute() {}\n`, gone: 0, isOutside: false },
    { what: 'a getter of a value', text: source.replace('calls: 5', 'get calls() { return 5 }'), gone: 0, isOutside: true },
    { what: 'a value', text: source.replace('calls: 5', 'calls: 6'), gone: 0, isOutside: true },
  ])('$what', ({ text, gone, isOutside }) => {
    const present = new Set(hashes(text))
    expect(hashes(source).filter((hash) => !present.has(hash))).toHaveLength(gone)
    expect(outside(text) !== outside(source)).toBe(isOutside)
  })

  test('two functions with the same text are two', () => {
    expect(new Set(hashes('list(() => null, () => null)\nlist(() => null)\n')).size).toBe(3)
  })
})

describe('npm test -- --changed', () => {
  const texts: Record<string, string> = {
    'src/calls.ts': source,
    'src/log.ts': 'export const log = (text: unknown) => text\n',
    'src/main.ts': "import { dial } from './calls.ts'\ndial('1')\n",
    'src/web/console/desk.tsx': 'export const Desk = () => null\n',
    'tests/dials.test.ts': "import { dial } from '../src/calls.ts'\n",
    'tests/hangs-up.test.ts': "import { hangUp } from '../src/calls.ts'\n",
    'tests/new.test.ts': "import { log } from '../src/log.ts'\n",
    'tests/starts.test.ts': '',
    'tests/waits.test.ts': "spawnSync(process.execPath, ['src/main.ts']); readFileSync('tests/fixtures/stored')",
    'tests/desk.test.ts': "import '../docs/desk.md'\n",
    'tests/security/workspace-keys.test.ts': '',
  }
  const [dialEnd, eachEnd, hangUpEnd] = unitsOf('a.ts', source).functions.map(({ end }) => end)
  const ran = (...ends: readonly (number | undefined)[]): Executed['ran'] => ({
    'src/calls.ts': { version: 'v1', ends: ends.filter((end) => end !== undefined) },
  })
  const nothing = { ms: 1, ran: {}, loaded: {}, programs: [], pages: [] }
  const executed: Executed[] = [
    { ...nothing, test: 'tests/dials.test.ts', ran: ran(dialEnd, eachEnd) },
    { ...nothing, test: 'tests/hangs-up.test.ts', ran: ran(hangUpEnd) },
    { ...nothing, test: 'tests/starts.test.ts', programs: ['src/main.ts'] },
    { ...nothing, test: 'tests/waits.test.ts' },
    { ...nothing, test: 'tests/desk.test.ts', pages: ['src/web/console'] },
    { ...nothing, test: 'tests/security/workspace-keys.test.ts' },
  ]

  /** The tests that are chosen after these files got these texts. */
  function chosenAfter(changes: Readonly<Record<string, string | null>>, versions: Readonly<Record<string, string>> = {}) {
    const now: Readonly<Record<string, string | null>> = { ...texts, ...changes }
    const graph = new Map(Object.entries(now).flatMap(([path, text]) => (text === null ? [] : [[path, importsOf(path, text)]])))
    const tree: Tree = {
      tests: [...graph.keys()].filter((path) => path.endsWith('.test.ts')),
      graph,
      executed: new Map(executed.map((each) => [each.test, each])),
      version: (path) => versions[path] ?? 'v1',
      text: (path, version) => (version === 'now' ? now[path] : texts[path]) ?? null,
    }
    const chosen = chooseTests(Object.keys(changes), tree)
    return { tests: chosen.map(({ test }) => test), fault: nothingToRun(Object.keys(changes), chosen) }
  }
  const changedCalls = (from: string, to: string) => chosenAfter({ 'src/calls.ts': source.replace(from, to) }).tests
  const readers = 'tests/security/workspace-keys.test.ts'

  test('after a change of a function: the tests that executed it, and those that read sources', () => {
    expect(changedCalls('log(limits)', 'log(null)')).toEqual(['tests/hangs-up.test.ts', readers])
    expect(changedCalls('each.trim()', 'each')).toEqual(['tests/dials.test.ts', readers])
  })

  test('after a change of a value: all that import it', () => {
    expect(changedCalls('calls: 5', 'calls: 6')).toEqual(['tests/dials.test.ts', 'tests/hangs-up.test.ts', readers])
  })

  test('after a change of a function of a module that remembers: all that import it', () => {
    const memo = `let known: string | undefined\n${source}`
    texts['src/calls.ts'] = memo
    const { tests } = chosenAfter({ 'src/calls.ts': memo.replace('log(limits)', 'log(null)') })
    texts['src/calls.ts'] = source
    expect(tests).toEqual(['tests/dials.test.ts', 'tests/hangs-up.test.ts', readers])
  })

  test('after a comment: those that read sources', () => {
    expect(changedCalls('  log', '  // Why.\n  log')).toEqual([readers])
  })

  test('a test that has not passed here yet is chosen by its imports', () => {
    expect(chosenAfter({ 'src/log.ts': 'export const log = (text: unknown) => [text]\n' }).tests).toContain('tests/new.test.ts')
  })

  test('a test whose sources have changed since its record is chosen by what they import now', () => {
    const change = { 'src/log.ts': 'export const log = (text: unknown) => [text]\n' }
    expect(chosenAfter(change).tests).not.toContain('tests/dials.test.ts')
    expect(chosenAfter(change, { 'src/calls.ts': 'v2' }).tests).toContain('tests/dials.test.ts')
  })

  test('what no test executes: those that start a program that imports it', () => {
    expect(chosenAfter({ 'src/main.ts': `${texts['src/main.ts']}export const stop = () => null\n` }).tests).toEqual([
      'tests/starts.test.ts',
      'tests/waits.test.ts',
      readers,
    ])
  })

  test('what runs in a thread: those that start it, beside those that execute it in their own process', () => {
    const threads = {
      'src/start.ts': "export const start = () => new Worker(new URL('worker.ts', import.meta.url))\n",
      'src/worker.ts': "import './stitch.ts'\n",
      'src/stitch.ts': 'export const stitch = () => 1\n',
      'src/main.ts': "import './start.ts'\n",
    }
    Object.assign(texts, threads)
    const ends = unitsOf('a.ts', threads['src/start.ts']).functions.map(({ end }) => end)
    executed.push({ ...nothing, test: 'tests/dials.test.ts', ran: { 'src/start.ts': { version: 'v1', ends } } })
    expect(chosenAfter({ 'src/stitch.ts': 'export const stitch = () => 2\n' }).tests).toContain('tests/dials.test.ts')
  })

  test('after a change of a page: those that opened it', () => {
    expect(chosenAfter({ 'src/web/console/desk.tsx': 'export const Desk = () => 1\n' }).tests).toEqual(['tests/desk.test.ts', readers])
    expect(chosenAfter({ 'src/web/console/desk.css': 'a {}' }).tests).toEqual(['tests/desk.test.ts'])
    expect(chosenAfter({ 'packages/client/src/client.ts': 'export const x = () => 1\n' }).tests).toContain('tests/desk.test.ts')
    expect(chosenAfter({ 'src/web/widget/panel.tsx': 'export const Panel = () => 1\n' }).tests).not.toContain('tests/desk.test.ts')
  })

  test('after a change of the contract: all', () => {
    expect(chosenAfter({ 'schema/calls.graphql': 'type Query' }).tests).toHaveLength(7)
  })

  test('after a change of a page of the documentation: the tests that name its folder', () => {
    expect(chosenAfter({ 'docs/frontend.md': '' }).tests).toEqual(['tests/desk.test.ts'])
    expect(chosenAfter({ 'tests/fixtures/stored/redis.json': '' }).tests).toEqual(['tests/waits.test.ts'])
  })

  test('nothing to run after a change of a source is a failure', () => {
    expect(chosenAfter({ 'tests/harness/alone.ts': 'export const alone = () => 1\n' })).toEqual({
      tests: [],
      fault: 'No test executes, imports or starts tests/harness/alone.ts. Write one, or run them all: npm test',
    })
    expect(chosenAfter({ 'src/alone.ts': 'export const alone = () => 1\n' })).toEqual({
      tests: [readers],
      fault: 'No test executes, imports or starts src/alone.ts. Write one, or run them all: npm test',
    })
    expect(chosenAfter({ 'src/calls.ts': source.replace('  log', '  // Why.\n  log') }).fault).toBe(null)
    expect(chosenAfter({ 'notes.txt': '' }).fault).toBe(null)
  })
})

test('a run stores what its test files executed, function by function', async () => {
  const [pure, other] = ['tests/recordings/mask-personal-data.test.ts', 'tests/console/supervisor-rows.test.ts']
  // In one process: what the first file executed is not noted for the second one, and what both execute is noted for both.
  await promisify(execFile)(process.execPath, ['tests/run.ts', '--maxWorkers=1', pure, other], { env: { ...process.env, CI: '' } })
  const records = readExecuted()
  const path = 'src/features/recordings/mask-personal-data.ts'
  const units = unitsOf(path, readFileSync(path, 'utf8'))
  const ends = records.get(pure)?.ran[path]?.ends ?? []
  expect(ends.length).toBeGreaterThan(1)
  expect(ends.map((end) => unitEndingAt(units, end)?.end)).toEqual(ends)
  expect(records.get(other)?.ran[path]).toBe(undefined)
  expect(records.get(other)?.ran).toHaveProperty('src/web/console/areas/supervisor/agent-rows.ts')
  for (const test of [pure, other]) expect(records.get(test)?.ran).toHaveProperty('tests/harness/own-requests.ts')
})
