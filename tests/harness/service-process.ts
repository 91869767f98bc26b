import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { childEnvironment } from './child-environment.ts'

export type ServiceProcess = AsyncDisposable & {
  readonly url: string
  /** What it wrote to its standard output so far. */
  said(): string
  /** Ends it like a crash, without a chance to clean up. */
  kill(): Promise<void>
}

/**
 * The service as `npm start` runs it, in a process of its own with just this environment, once it says that it is ready. One that ends before fails
 * at once, with what it said. A busy machine is no overload.
 */
export async function startServiceProcess(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { ...childEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let said = ''
  let url: string | undefined
  for await (const line of createInterface(child.stdout)) {
    said += `${line}\n`
    url = /^Ready at (\S+?)[.,]?(?:\s|$)/.exec(line)?.[1]
    if (url !== undefined) break
  }
  if (url === undefined) throw new Error(`The service ended before it was ready:\n${said}`)
  child.stdout.on('data', (chunk: Buffer) => (said += String(chunk)))
  child.stdout.resume()
  return {
    url,
    said: () => said,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
