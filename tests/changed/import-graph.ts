import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './record.ts'

/** Which source imports which, by path. Also what it starts as a thread: `new URL('./schema-worker.ts', import.meta.url)`. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

const target = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]|\bnew URL\(\s*['"]([^'":]+)['"],\s*import\.meta\.url/g

export function readImportGraph(): ImportGraph {
  const paths = globSync('{src,tests,packages}/**/*.{ts,tsx,mjs}', { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
  return new Map(
    paths.map((path) => path.replaceAll('\\', '/')).map((path) => [path, importsOf(path, readFileSync(join(root, path), 'utf8'))]),
  )
}

export function importsOf(path: string, source: string): readonly string[] {
  const found = [...source.matchAll(target)]
    .map(([, imported, opened]) => imported ?? opened ?? '')
    .map((to) => normalize(join(dirname(path), to)).replaceAll('\\', '/'))
  return [...new Set(found)]
}

const closures = new WeakMap<ImportGraph, Map<string, ReadonlySet<string>>>()

/** The file of a thread. V8's records of a test do not say what it executes. */
export const isThread = (path: string): boolean => /(?:^|[-/])worker\.ts$/.test(path)

/** What a source reaches by imports and threads, itself included. */
export function closureOf(graph: ImportGraph, entry: string): ReadonlySet<string> {
  const known = closures.get(graph) ?? new Map<string, ReadonlySet<string>>()
  closures.set(graph, known)
  const closure = known.get(entry) ?? reachedFrom(graph, entry)
  known.set(entry, closure)
  return closure
}

function reachedFrom(graph: ImportGraph, entry: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    waiting.push(...(graph.get(path) ?? []))
  }
  return reached
}
