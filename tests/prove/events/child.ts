import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A child process that reports its progress in lines on stdout. `kill` is kill -9, `end` lets it finish. */
export type Child = { readonly kill: () => Promise<void>; readonly end: () => Promise<void> }

/** `script`: a file of this folder; it gets `input` as JSON. */
export function startChild(script: string, input: unknown, onLine: (line: string) => void): Child {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [path, JSON.stringify(input)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  if (child.stdout) createInterface(child.stdout).on('line', onLine)
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await closed
  }
  return { kill: () => stop('SIGKILL'), end: () => stop('SIGTERM') }
}
