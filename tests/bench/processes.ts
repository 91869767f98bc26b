import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { waitFor } from '../harness/wait-for.ts'

/** One contender in front of the platform, as a separate process. */
export type Contender = AsyncDisposable & { readonly name: string; readonly url: string; readonly pid: number; readonly readyMs: number }

const root = new URL('../..', import.meta.url).pathname

/** Settings of a service in the shell's environment must not reach the measured process. */
const { PATH = '', HOME = '', TMPDIR = '' } = process.env
const cleanEnvironment = { PATH, HOME, ...(TMPDIR && { TMPDIR }) }

/** Starts a program and waits for the address in its output. */
export async function startProcess(name: string, { command, args, environment = {}, ready, cwd = root }: StartOptions): Promise<Contender> {
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd,
    env: { ...cleanEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const url = await addressFrom(child, ready)
  await waitFor(() => fetch(`${url}/health`).then((response) => response.status > 0), { deadlineMs: 30_000, what: name })
  const readyMs = Math.round(performance.now() - startedAt)
  return {
    name,
    url,
    readyMs,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.pid === undefined) return
      const gone = new Promise((resolve) => child.once('exit', resolve))
      // First sends a signal, because a process that exits by itself stores its compile cache for the next start.
      const { pid } = child
      process.kill(pid, 'SIGTERM')
      const late = setTimeout(() => process.kill(-pid, 'SIGKILL'), 5_000)
      await gone
      clearTimeout(late)
    },
  }
}

type StartOptions = {
  readonly command: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The address in a line of the output; null while there is none. */
  readonly ready: (output: string) => string | null
  readonly cwd?: string
}

function addressFrom(child: ChildProcess, ready: StartOptions['ready']): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const look = (chunk: Buffer): void => {
      output += chunk.toString()
      const url = ready(output)
      if (url) resolve(url)
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('exit', () => reject(new Error(`ended before it was ready:\n${output}`)))
    setTimeout(() => reject(new Error(`not ready in 60 s:\n${output}`)), 60_000).unref()
  })
}

/** A line that holds only a port. */
export const portLine = (output: string): string | null => {
  const port = /^(\d+)$/m.exec(output)?.[1]
  return port ? `http://127.0.0.1:${port}` : null
}

/** CPU time that the threads of a process and its children have used, in microseconds, exact to less than one. */
export function cpuMicros(pid: number): number {
  const threads = processTree(pid).flatMap((member) =>
    readdirSync(`/proc/${member}/task`).map((thread) => `/proc/${member}/task/${thread}`),
  )
  return threads.reduce((sum, thread) => sum + Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ', 1)[0]), 0) / 1_000
}

/** Resident memory of a process and its children, in megabytes. */
export function residentMb(pid: number): number {
  const kilobytes = processTree(pid).map((member) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${member}/status`, 'utf8'))?.[1] ?? 0),
  )
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1_024)
}

function processTree(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statFields(Number(name))[1] ?? 0) }))
  const tree = [pid]
  for (const one of tree) tree.push(...parents.filter(({ parent }) => parent === one).map((child) => child.pid))
  return tree
}

function statFields(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}
