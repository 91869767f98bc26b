import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { freePort } from '../../harness/free-port.ts'
import { startRedisServer, type RedisServer } from '../../harness/redis-server.ts'
import { findOnPath } from '../../harness/system.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { type Exit, type OwnProcess, startProcess } from './processes.ts'

/** The settings that say where each stand-in is. */
const addressSettings = {
  platform: 'PLATFORM_URL',
  telephony: 'OZONETEL_API_URL',
  outbound: 'EXOTEL_URL',
  models: 'OPENAI_COMPATIBLE_URL',
  speech: 'DEEPGRAM_URL',
} as const

const environmentSchema = z.record(z.string(), z.string())

/** A service in a process of its own, on a data directory and a port that outlive it. */
export type ServiceProcess = {
  readonly url: string
  /** Null while it does not run. */
  readonly pid: () => number | null
  start(): Promise<void>
  kill(): Promise<void>
  /** Ends it by the signal to stop. Null where it does not run. */
  stop(): Promise<Exit | null>
}

/** The stand-ins, a Redis and services, each in a process of its own, as they would run on one machine. */
export type Stage = AsyncDisposable & {
  readonly redis: RedisServer
  /** Of the process of the stand-ins. */
  readonly standInsPid: number
  /** The settings of a service that talks to the stand-ins. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts a service; on the stage's Redis, or embedded. It refuses nothing because of overload, unless its environment says so. */
  service(on: 'redis' | 'embedded', environment?: Readonly<Record<string, string>>): Promise<ServiceProcess>
  /** Sends a command to a stand-in: `POST /_sandbox/<name>`. */
  command(standIn: keyof typeof addressSettings, name: string, input?: unknown): Promise<unknown>
}

/** `durable`: a write is on its disk before it answers. */
export type StageRedis = 'durable' | 'in memory'

export async function setStage({
  agents,
  redis: kind = 'in memory',
  environment: ofStandIns = {},
}: {
  readonly agents: number
  readonly redis?: StageRedis
  /** Of the process of the stand-ins. */
  readonly environment?: Readonly<Record<string, string>>
}): Promise<Stage> {
  await using setting = new AsyncDisposableStack()
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  if (binary === null) throw new Error('This needs redis-server or valkey-server on PATH')
  const redis = setting.use(await startRedisServer(binary, { durable: kind === 'durable' }))
  const script = 'tests/prove/stage/stand-ins-process.ts'
  const standIns = setting.use(await startProcess({ script, args: [String(agents)], ready: /^(\{.*\})$/, environment: ofStandIns }))
  const environment = environmentSchema.parse(JSON.parse(standIns.said))
  const shared = { REDIS_URL: redis.url, SECRETS_KEY: randomBytes(32).toString('base64') }
  const running = setting.move()

  return {
    redis,
    standInsPid: standIns.pid,
    environment,
    async service(on, own = {}) {
      const { path } = running.use(await createTempDir())
      const port = Number(own['PORT'] ?? (await freePort()))
      const fixed = { DATA_DIR: path, PORT: String(port), LOG_LEVEL: 'error', OVERLOAD_DELAY_MS: '0' }
      const settings = { ...environment, ...(on === 'redis' ? shared : {}), ...fixed, ...own }
      let process: OwnProcess | null = null
      const service: ServiceProcess = {
        url: `http://127.0.0.1:${port}`,
        pid: () => process?.pid ?? null,
        async start() {
          process = await startProcess({ script: 'src/main.ts', environment: settings, ready: /Ready at (http\S+)/ })
        },
        kill: async () => process?.kill(),
        stop: async () => (await process?.stop()) ?? null,
      }
      running.defer(() => service.kill())
      await service.start()
      return service
    },
    async command(standIn, name, input) {
      const address = new URL(environment[addressSettings[standIn]] ?? '').origin
      const response = await fetch(`${address}/_sandbox/${name}`, { method: 'POST', body: JSON.stringify(input ?? {}) })
      const { result, error } = z.object({ result: z.unknown().optional(), error: z.string().optional() }).parse(await response.json())
      if (error !== undefined) throw new Error(`${standIn} ${name}: ${error}`)
      return result
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
