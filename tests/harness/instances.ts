import { randomBytes } from 'node:crypto'
import type { Clock } from '../../src/kernel/clock.ts'
import { type StandIns, startSandbox } from '../../src/sandbox/start.ts'
import { connectTelephony, ownPublicUrl } from './connect-telephony.ts'
import { createTempDir } from './temp-dir.ts'
import { startApp } from './start-app.ts'

/** Several instances of the service on one Redis and one set of stand-ins. */
export type Instances = AsyncDisposable & { readonly urls: readonly string[]; readonly standIns: StandIns }

export type InstancesOptions = {
  readonly count: number
  readonly redisUrl: string
  readonly environment?: Readonly<Record<string, string>>
  /** Whether the telephony stand-in reports calls, to the first instance. */
  readonly receivesWebhooks?: boolean
  /** Of all instances and of the stand-ins; the system's if it is left out. */
  readonly clock?: Clock
}

export async function startInstances({
  count,
  redisUrl,
  environment = {},
  receivesWebhooks = false,
  clock,
}: InstancesOptions): Promise<Instances> {
  await using starting = new AsyncDisposableStack()
  const own = clock ? { clock } : {}
  const sandbox = starting.use(await startSandbox({ dataDir: null, ...own }))
  const shared = { REDIS_URL: redisUrl, SECRETS_KEY: randomBytes(32).toString('base64'), PORT: '0', ...environment }
  const urls: string[] = []
  for (let number = 0; number < count; number += 1) {
    const { path } = starting.use(await createTempDir())
    const [first] = urls
    const address = receivesWebhooks ? { ...ownPublicUrl, ...(first !== undefined && { PUBLIC_URL: first }) } : {}
    const environments = { ...sandbox.environmentOf('demo'), ...shared, ...address, DATA_DIR: path }
    urls.push(starting.use(await startApp(environments, { workspaces: [sandbox.environmentOf('acme')], ...own })).url)
  }
  if (receivesWebhooks) await connectTelephony(urls[0] ?? '', sandbox.standIns.telephony)
  const running = starting.move()
  return { urls, standIns: sandbox.standIns, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown; readonly tookMs: number }
export type Sent = { readonly body?: unknown; readonly token?: string }

/** Asks one instance by REST. */
export async function ask(url: string, path: string, { body, token }: Sent = {}): Promise<Answer> {
  const startedAt = performance.now()
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  return { status: response.status, headers: response.headers, body: answer, tookMs: performance.now() - startedAt }
}
