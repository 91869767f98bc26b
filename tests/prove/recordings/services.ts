import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { startRedisServer } from '../../harness/redis-server.ts'
import { findOnPath } from '../../harness/system.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { type StandIns, startSandbox } from '../../../src/sandbox/start.ts'

/** Services in processes of their own, on one Redis and one set of stand-ins; the stand-ins live in this process. */
export type Services = AsyncDisposable & {
  readonly urls: readonly string[]
  readonly standIns: StandIns
  /** Ends one as a power cut would. */
  kill(index: number): Promise<void>
}

export async function startServices(count: number): Promise<Services> {
  await using starting = new AsyncDisposableStack()
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  if (binary === null) throw new Error('This needs redis-server or valkey-server on PATH')
  const redis = starting.use(await startRedisServer(binary))
  const sandbox = starting.use(await startSandbox({ dataDir: null }))
  const shared = { ...sandbox.environmentOf('demo'), REDIS_URL: redis.url, SECRETS_KEY: randomBytes(32).toString('base64') }
  const children: ChildProcess[] = []
  const kill = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const urls: string[] = []
  for (let number = 0; number < count; number += 1) {
    const { path } = starting.use(await createTempDir())
    const own = { DATA_DIR: path, PORT: '0', LOG_LEVEL: 'error', PATH: process.env['PATH'] ?? '' }
    // A thousand connections of one address come at once: the one of the sign-in, which has shown no token, must stay too.
    const limits = { OVERLOAD_DELAY_MS: '0', HTTP_CONNECTIONS_PER_ADDRESS: '3000' }
    const environment = { ...shared, ...own, ...limits }
    const child = spawn(process.execPath, ['src/main.ts'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
    starting.defer(() => kill(child))
    children.push(child)
    urls.push(await readyAt(child))
  }
  const running = starting.move()
  return {
    urls,
    standIns: sandbox.standIns,
    async kill(index) {
      const child = children[index]
      if (child) await kill(child)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function readyAt({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('a process without standard output')
  for await (const line of createInterface({ input: stdout })) {
    const url = /Ready at (http\S+)/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('a service ended before it was ready')
}
