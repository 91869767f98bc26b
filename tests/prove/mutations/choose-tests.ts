import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { blocksOf } from './blocks.ts'
import type { Mutation } from './operators.ts'
import type { ReachMap } from './reach-map.ts'
import { root } from './sources.ts'

const mostTests = 8
const mostMs = 40_000

/**
 * The test files that may notice a mutation: those that ran the block that it is in, best first. Good is a file that is fast, that imports the
 * mutated one or names it, that is in the folder of the same feature, and of which a large part is about the mutated file.
 */
export function testsFor(mutation: Mutation, map: ReachMap): readonly string[] {
  const { path, id, text } = mutation.source
  const block = blocksOf(path, text).findLastIndex(({ start, end }) => start <= mutation.at && mutation.at < end)
  const ranked = Object.entries(map).flatMap(([test, { passed, ms, reached }]) => {
    const here = reached[id] ?? Object.entries(reached).find(([other]) => other.startsWith(`${path}@`))?.[1]
    const isHit = here !== undefined && (reached[id] === undefined || block < 0 || here.includes(block))
    if (!passed || !isHit) return []
    const all = Object.values(reached).reduce((sum, { length }) => sum + length, 0)
    const share = here.length / all
    return [{ test, ms, score: (1 + nearness(test, path) + 20 * share) / (ms + 1_500) }]
  })
  const chosen: string[] = []
  let total = 0
  for (const { test, ms } of ranked.toSorted((left, right) => right.score - left.score)) {
    if (chosen.length >= mostTests || (chosen.length > 0 && total + ms > mostMs)) continue
    chosen.push(test)
    total += ms
  }
  return chosen
}

function nearness(test: string, path: string): number {
  const source = readFileSync(join(root, test), 'utf8')
  const feature = path.split('/')[2] ?? ''
  const words = basename(path, '.ts').split('-')
  const named = words.filter((word) => word.length > 3 && test.includes(word)).length
  return (source.includes(path) ? 6 : 0) + (test.startsWith(`tests/${feature}/`) ? 2 : 0) + named
}
