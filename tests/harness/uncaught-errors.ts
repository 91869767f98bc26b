import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import { z } from 'zod'

/*
 * Unhandled rejections and uncaught errors, in this process, its threads, and the processes that a test starts. Vitest alone sees those of this
 * process only, and not even those if anything else listens for them.
 */
const file = join(tmpdir(), `uncaught-errors-${process.pid}`)
const found: unknown[] = []
const note = (error: unknown): void => void found.push(error)

const withWorker = z.object({ worker: z.custom<NodeJS.EventEmitter>((value) => typeof value === 'object') })
const watchWorker = (message: unknown): void => void withWorker.parse(message).worker.on('error', note)

const name = 'UNCAUGHT_ERRORS_FILE'
const preload = `--import=${new URL('report-uncaught.mjs', import.meta.url).href}`
const spawning = z.object({ options: z.object({ envPairs: z.custom<string[]>((value) => Array.isArray(value)).optional() }) })
/** Gives a new process the preload, whatever environment its test gives it. One that has a file of its own by its test keeps that. */
const addPreload = (message: unknown): void => {
  const { envPairs } = spawning.parse(message).options
  if (!envPairs) return
  const given = takeFrom(envPairs, name)
  envPairs.push(`${name}=${given === undefined || given === process.env[name] ? file : given}`)
  const options = takeFrom(envPairs, 'NODE_OPTIONS') ?? ''
  envPairs.push(`NODE_OPTIONS=${options.includes(preload) ? options : `${options} ${preload}`.trim()}`)
}

function takeFrom(envPairs: string[], key: string): string | undefined {
  const index = envPairs.findIndex((pair) => pair.startsWith(`${key}=`))
  return index < 0 ? undefined : envPairs.splice(index, 1)[0]?.slice(key.length + 1)
}

export function watchUncaughtErrors(): void {
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
  subscribe('worker_threads', watchWorker)
  subscribe('tracing:child_process.spawn:start', addPreload)
}

/** What was found since the last call: for a test in which a thread or a process has to die. */
export function takeUncaughtErrors(): readonly unknown[] {
  return [...found.splice(0), ...reported()]
}

/** Throws what was found since the last call. */
export function throwUncaughtErrors(): void {
  const errors = takeUncaughtErrors()
  if (errors.length > 0) throw new AggregateError(errors, `Nothing handled an error:\n${errors.map(textOf).join('\n')}`)
}

/** A rejection is known to be unhandled a little later than it happens. */
export async function unwatchUncaughtErrors(): Promise<void> {
  await nextRound()
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
  unsubscribe('worker_threads', watchWorker)
  unsubscribe('tracing:child_process.spawn:start', addPreload)
  throwUncaughtErrors()
}

function reported(): readonly string[] {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    rmSync(file)
    return lines.map((line) => z.string().parse(JSON.parse(line)))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
