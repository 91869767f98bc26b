import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** How a process ended: its exit code, null where a signal ended it. */
export type Exit = { readonly code: number | null; readonly tookMs: number }

/** A process of the stage's own. Disposing kills it. */
export type OwnProcess = AsyncDisposable & {
  /** What stood in the line that said it was ready. */
  readonly said: string
  readonly pid: number
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Ends it by the signal to stop. Null where it had ended before. */
  stop(): Promise<Exit | null>
}

export type ProcessOptions = {
  readonly script: string
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The line that says that it is ready. */
  readonly ready: RegExp
  /** How many descriptors it may have open. */
  readonly descriptors?: number
  /** The number of the processor core that it may use. */
  readonly core?: number
}

const root = new URL('../../..', import.meta.url)
const patienceMs = 60_000

/** Starts a script of this repository on this very Node, with these settings alone, and waits until it says that it is ready. */
export async function startProcess({ script, args = [], environment = {}, ready, descriptors, core }: ProcessOptions): Promise<OwnProcess> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const limited = descriptors === undefined ? [] : ['sh', '-c', `ulimit -n ${descriptors} && exec "$0" "$@"`]
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)]
  const [program = '', ...rest] = [...limited, ...pinned, process.execPath, script, ...args]
  const child = spawn(program, rest, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<Exit | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return null
    const startedAt = performance.now()
    const exited = once(child, 'exit')
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    await exited
    clearTimeout(late)
    return { code: child.exitCode, tookMs: performance.now() - startedAt }
  }
  const kill = async (): Promise<void> => void (await end('SIGKILL'))
  try {
    return { said: await lineOf(child, ready), pid: child.pid ?? 0, kill, stop: () => end('SIGTERM'), [Symbol.asyncDispose]: kill }
  } catch (error) {
    await kill()
    throw error
  }
}

async function lineOf({ stdout }: ChildProcess, ready: RegExp): Promise<string> {
  if (!stdout) throw new Error('no standard output')
  const deadline = AbortSignal.timeout(patienceMs)
  const lines = createInterface({ input: stdout })
  const found = new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const match = ready.exec(line)
      if (match) resolve(match[1] ?? line)
    })
    lines.on('close', () => reject(new Error('it ended before it was ready')))
    deadline.addEventListener('abort', () => reject(new Error('it was not ready in time')))
  })
  return found
}
