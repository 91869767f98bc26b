import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { freePort } from '../../../harness/free-port.ts'
import { startRedisServer } from '../../../harness/redis-server.ts'
import { findOnPath } from '../../../harness/system.ts'
import { createTempDir } from '../../../harness/temp-dir.ts'
import { createClient, inFlight, tokensOf } from '../../stage/client.ts'
import { startProcess } from '../../stage/processes.ts'

/** The services have the first processor core; the load and the stand-ins have the second one. */
const cores = { service: 0, load: 1 } as const

const environmentSchema = z.record(z.string(), z.string())
const memoryOptions = '--max-semi-space-size=8 --v8-pool-size=1'

export type SharesStage = AsyncDisposable & {
  readonly urls: readonly string[]
  /** Access tokens of agents of `acme`, who have a session. */
  readonly agents: readonly string[]
  /** Of `demo`. */
  readonly manager: string
}

/** So many instances of the service on one core, on one Redis if there are several, with a platform that repeats its answers. */
export async function setSharesStage({ instances, agents }: { readonly instances: number; readonly agents: number }): Promise<SharesStage> {
  await using starting = new AsyncDisposableStack()
  // Processes that this one starts use the same core.
  await promisify(execFile)('taskset', ['-acp', String(cores.load), String(process.pid)])
  const script = 'tests/prove/stage/stand-ins-process.ts'
  const standIns = starting.use(await startProcess({ script, args: [String(agents), 'acme'], ready: /^(\{.*\})$/ }))
  const settings = environmentSchema.parse(JSON.parse(standIns.said))
  const { PLATFORM_URL: standInUrl = '', PLATFORM_API_KEY: apiKey = '' } = settings
  const repeating = { script: 'tests/prove/overload/repeating-platform-process.ts', args: [standInUrl, apiKey], ready: /^(\d+)$/ }
  const platform = starting.use(await startProcess(repeating))
  const shared = instances > 1 ? await startRedis(starting) : {}
  const start = async (): Promise<string> => {
    const { path } = starting.use(await createTempDir())
    const url = `http://127.0.0.1:${await freePort()}`
    const own = {
      PLATFORM_URL: `http://127.0.0.1:${platform.said}`,
      DATA_DIR: path,
      PORT: new URL(url).port,
      LOG_LEVEL: 'warn',
    }
    const environment = { ...settings, ...shared, ...own, NODE_OPTIONS: `${memoryOptions} ${process.env['PROVE_NODE_OPTIONS'] ?? ''}` }
    const service = starting.use(
      await startProcess({ script: 'src/main.ts', environment, ready: /Ready at (http\S+)/, core: cores.service }),
    )
    starting.defer(async () => void (await service.stop()))
    return url
  }
  const urls: string[] = []
  while (urls.length < instances) urls.push(await start())
  const people = await signPeopleIn(urls[0] ?? '', agents)
  const running = starting.move()
  return { urls, ...people, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function startRedis(stack: AsyncDisposableStack): Promise<Readonly<Record<string, string>>> {
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  if (binary === null) throw new Error('This needs redis-server or valkey-server on PATH')
  const redis = stack.use(await startRedisServer(binary))
  return { REDIS_URL: redis.url, SECRETS_KEY: randomBytes(32).toString('base64') }
}

async function signPeopleIn(url: string, agents: number) {
  await using client = createClient()
  const manager = tokensOf(await client.logIn(url, 'manager')).accessToken
  const logIn = async (index: number): Promise<string> => {
    const body = { email: `load${index + 1}@acme.example`, password: 'sandbox-password', workspace: 'acme' }
    return tokensOf(await client.send(`${url}/auth/login`, { body })).accessToken
  }
  return { manager, agents: await inFlight(agents, 4, logIn) }
}
