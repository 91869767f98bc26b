import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { say } from '../stage/report.ts'
import { runTests } from './run-tests.ts'
import { cacheFolder, hashOf, mutatedSources, root } from './sources.ts'
import { addProbes, createTree, type Tree } from './tree.ts'

const measured = z.object({
  /** Of the test file's text. */
  hash: z.string(),
  passed: z.boolean(),
  ms: z.number(),
  /** By the `id` of a source: its blocks that ran, as places in the list of `blocksOf`. */
  reached: z.record(z.string(), z.array(z.number())),
})
const reachMap = z.record(z.string(), measured)
/** By the path of a test file. */
export type ReachMap = Readonly<Record<string, z.output<typeof measured>>>

const mapFile = join(cacheFolder, 'reached.json')

export function readReachMap(): ReachMap {
  try {
    return reachMap.parse(JSON.parse(readFileSync(mapFile, 'utf8')))
  } catch {
    return {}
  }
}

export function testFiles(): readonly string[] {
  const paths = globSync('tests/**/*.test.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  return paths.toSorted()
}

/** Test files that were not measured since they were last changed. */
export function unmeasuredTests(map: ReachMap): readonly string[] {
  return testFiles().filter((path) => map[path]?.hash !== hashOf(readFileSync(join(root, path), 'utf8')))
}

/** Runs each of these test files on sources with probes, and stores which blocks it reached and how long it took. */
export async function measureReach(tests: readonly string[], workers: number): Promise<void> {
  const sliceSize = 6
  const slices = Array.from({ length: Math.ceil(tests.length / sliceSize) }, (_, index) =>
    tests.slice(index * sliceSize, (index + 1) * sliceSize),
  )
  const total = slices.length
  const work = async (): Promise<void> => {
    using tree = createTree()
    const blockOf = addProbes(tree, mutatedSources())
    for (let slice = slices.shift(); slice; slice = slices.shift()) {
      say(`measures which blocks tests reach: ${total - slices.length}/${total}`)
      await measureSlice(tree, slice, blockOf)
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, total) }, work))
}

async function measureSlice(tree: Tree, tests: readonly string[], blockOf: ReturnType<typeof addProbes>): Promise<void> {
  const report = await runTests(tree, tests, { deadlineMs: tests.length * 180_000, waitMs: 60_000, bail: false })
  const map = { ...readReachMap() }
  for (const path of tests) {
    const file = report?.files.find((each) => each.path === path)
    const hash = hashOf(readFileSync(join(tree.path, path), 'utf8'))
    map[path] = { hash, passed: file?.state === 'passed', ms: file?.ms ?? 0, reached: reachedBy(tree, path, blockOf) }
    if (file?.state !== 'passed') say(`${path} ${file?.state ?? 'did not end'}: ${file?.failure ?? report?.unhandled[0] ?? ''}`)
  }
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(mapFile, JSON.stringify(map))
}

function reachedBy(tree: Tree, test: string, blockOf: ReturnType<typeof addProbes>): Record<string, number[]> {
  const file = join(tree.path, `${test}.reached`)
  const reached: Record<string, number[]> = {}
  const noted = readLines(file)
  for (const probe of new Set(noted)) {
    const found = blockOf(Number(probe))
    if (found) (reached[found.source.id] ??= []).push(found.block)
  }
  rmSync(file, { force: true })
  return reached
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
