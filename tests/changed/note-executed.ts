import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { type Executed, root, storeExecuted, versionOf } from './record.ts'

/*
 * Notes which functions a test file executes, by V8's own counts, for `npm test -- --changed`. The files of a process share modules and
 * counts: each reading has what ran since the last one.
 */
type Ends = Readonly<Record<string, readonly number[]>>

const session = new Session()
const pages = new Set<string>()
const spawned: unknown[] = []
const versions = new Map<string, string>()

/**
 * A run of some tests of a file says nothing about the others. In CI nobody asks for a record, and it takes a fifth of the processor time. The proofs
 * open pages without Vitest.
 */
export const isNoting = process.env['VITEST'] === 'true' && process.env['CI'] !== 'true' && inject('runsWholeFiles')

// Once per process, before any other module of ours is loaded: set-up imports this one first.
if (isNoting) {
  session.connect()
  session.post('Profiler.enable')
  begin()
  subscribe('child_process', (message) => void spawned.push(message))
}

/** Without the number of calls: to count them, V8 runs no optimised code, and a loop takes 13 times as long (measured 2026-11-26). */
function begin(): void {
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false })
}

/** `folder`: of browser code, such as `src/web/console`, that the running test file reads as it was built. */
export function notePages(folder: string): void {
  pages.add(folder)
}

/** What ran since the last call. */
export function readEnds(): Ends {
  const scripts: Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => void scripts.push(...result))
  // V8 names a function once. It begins again, so that the next test file gets those that the last one executed too.
  session.post('Profiler.stopPreciseCoverage')
  begin()
  return Object.fromEntries(
    scripts.flatMap(({ url, functions }) => {
      const path = ownPath(url)
      if (path === null) return []
      const ends = functions.flatMap(({ functionName, ranges: [range] }) => {
        const isModule = functionName === '' && range?.startOffset === 0
        return range && range.count > 0 && !isModule ? [range.endOffset] : []
      })
      return ends.length > 0 ? [[path, ends]] : []
    }),
  )
}

type Noted = { readonly test: string; readonly ms: number; readonly loaded: Ends; readonly ran: Ends }

/** Stores what a test file executed, and begins with the next one. */
export function storeNoted({ test, ms, loaded, ran }: Noted): void {
  const executed: Executed = {
    test,
    ms: Math.round(ms),
    ran: withVersions(ran),
    loaded: withVersions(loaded),
    programs: [...new Set(spawned.splice(0).flatMap(programsOf))],
    pages: [...pages],
  }
  pages.clear()
  storeExecuted(executed)
}

function withVersions(ends: Ends): Executed['ran'] {
  return Object.fromEntries(Object.entries(ends).map(([path, own]) => [path, { version: version(path), ends: [...own] }]))
}

function version(path: string): string {
  const known = versions.get(path) ?? versionOf(readFileSync(join(root, path)))
  versions.set(path, known)
  return known
}

/** The path of one of our sources; null for packages and Node's own. */
export function ownPath(url: string): string | null {
  if (!url.startsWith('file:')) return null
  const path = relative(root, fileURLToPath(url.replace(/[?#].*$/, ''))).replaceAll('\\', '/')
  return /^(?:src|tests|packages)\/(?!.*node_modules\/).*\.(?:ts|tsx|mjs)$/.test(path) ? path : null
}

/** The sources that a started process was given, and the scripts of npm. */
function programsOf(message: unknown): readonly string[] {
  if (typeof message !== 'object' || message === null || !('process' in message)) return []
  const started = message.process
  if (typeof started !== 'object' || started === null || !('spawnargs' in started) || !Array.isArray(started.spawnargs)) return []
  const given = started.spawnargs.filter((each) => typeof each === 'string').map((each) => (isAbsolute(each) ? relative(root, each) : each))
  return given.filter((each) => /^(?:src|tests|packages)\/.*\.(?:ts|mjs)$/.test(each) && !each.endsWith('require-node.mjs'))
}
