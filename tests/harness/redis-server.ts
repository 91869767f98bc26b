import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createTempDir } from './temp-dir.ts'
import { freePort } from './free-port.ts'
import { waitFor } from './wait-for.ts'

/** A real Redis (or Valkey) of the test's own on a loopback port, in memory only. Stopped when disposed of. */
export type RedisServer = AsyncDisposable & {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Stops it in its tracks: connections stay open, nothing is answered. */
  hang(): void
  goOn(): void
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
}

/** `binary`: the path of redis-server or valkey-server; `port`: a free one when left out; `durable`: on its disk before each answer. */
export async function startRedisServer(binary: string, options: { port?: number; durable?: boolean } = {}): Promise<RedisServer> {
  const directory = await createTempDir()
  const port = options.port ?? (await freePort())
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: directory.path,
    save: '',
    daemonize: 'no',
    ...(options.durable === true ? durable : inMemory),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(binary, flags, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const running = (): boolean => child.exitCode === null && child.signalCode === null

  const kill = async (): Promise<void> => {
    if (running()) child.kill('SIGKILL')
    await exited
  }
  const stop = async (): Promise<void> => {
    await kill()
    await directory[Symbol.asyncDispose]()
  }
  try {
    await waitFor(async () => !running() || (await answersPing(port)), { what: `${binary} on port ${port}` })
    if (!running()) throw new Error(`${binary} ended before it answered on port ${port}`)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    hang: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    kill,
    [Symbol.asyncDispose]: stop,
  }
}

const durable = { appendonly: 'yes', appendfsync: 'always' }
const inMemory = { appendonly: 'no' }

async function answersPing(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    socket.write('PING\r\n')
    const answer: readonly unknown[] = await once(socket, 'data', { signal: AbortSignal.timeout(500) })
    return String(answer[0]).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
