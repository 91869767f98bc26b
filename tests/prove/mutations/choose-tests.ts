import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { blocksOf } from './blocks.ts'
import type { Mutation } from './operators.ts'
import type { ReachMap } from './reach-map.ts'
import { root } from './sources.ts'

const mostTests = 8
const mostMs = 60_000
const unmeasuredMs = 8_000

/** Where the tests of a folder of providers and of the server are; those of a feature are in its own. */
const foldersOf: Readonly<Record<string, readonly string[]>> = {
  broker: ['events'],
  graphql: ['gateway', 'server', 'security'],
  http: ['server', 'gateway', 'security'],
  models: ['insights', 'providers'],
  platform: ['providers', 'setup'],
  recordings: ['recordings'],
  rest: ['server'],
  speech: ['recordings', 'providers'],
  store: ['providers', 'security'],
  telephony: ['providers', 'calls'],
  webhooks: ['calls'],
}

type Candidate = { readonly test: string; readonly ms: number; readonly score: number }

/**
 * The test files that may notice a mutation: those that ran the block that it is in, best first. Good is a file that is fast, that imports the
 * mutated one or names it, that is in the folder of the same feature, and of which a large part is about the mutated file. A test file that was
 * not measured counts if it is near.
 */
export function testsFor(mutation: Mutation, map: ReachMap, all: readonly string[]): readonly string[] {
  const candidates = all.flatMap((test) => candidateOf(mutation, test, map[test]))
  const chosen: string[] = []
  let total = 0
  for (const { test, ms } of candidates.toSorted((left, right) => right.score - left.score)) {
    if (chosen.length >= mostTests || (chosen.length > 0 && total + ms > mostMs)) continue
    chosen.push(test)
    total += ms
  }
  return chosen
}

function candidateOf({ source, at }: Mutation, test: string, measured: ReachMap[string] | undefined): readonly Candidate[] {
  const { path, id, text } = source
  const near = nearness(test, path)
  if (!measured) return near < 2 ? [] : [{ test, ms: unmeasuredMs, score: scoreOf(near, unmeasuredMs) }]
  const { passed, ms, reached } = measured
  const exact = reached[id]
  const here = exact ?? Object.entries(reached).find(([other]) => other.startsWith(`${path}@`))?.[1]
  const block = blocksOf(path, text).findLastIndex(({ start, end }) => start <= at && at < end)
  const isHit = here !== undefined && (exact === undefined || block < 0 || exact.includes(block))
  if (!passed || !isHit) return []
  const share = here.length / Object.values(reached).reduce((sum, { length }) => sum + length, 0)
  return [{ test, ms, score: scoreOf(near + 20 * share, ms) }]
}

/** What is near may take longer: four times as near, sixteen times as long. */
function scoreOf(near: number, ms: number): number {
  return (1 + near) / Math.sqrt(ms + 1_500)
}

function nearness(test: string, path: string): number {
  const source = readFileSync(join(root, test), 'utf8')
  const folder = path.split('/')[2] ?? ''
  const isOfFolder = (foldersOf[folder] ?? [folder]).some((name) => test.startsWith(`tests/${name}/`))
  const words = basename(path, '.ts').split('-')
  const named = words.filter((word) => word.length > 3 && test.includes(word)).length
  return (source.includes(`/${path}'`) ? 6 : 0) + (isOfFolder ? 2 : 0) + named
}
