import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import { z } from 'zod'
import type { App } from '../../src/app.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { startSandbox, type StandIns } from '../../src/sandbox/start.ts'
import { createRunningClock, type TestClock } from './clock.ts'
import { connectTelephony, ownPublicUrl } from './connect-telephony.ts'
import { createTempDir } from './temp-dir.ts'
import { waitFor } from './wait-for.ts'
import { startApp } from './start-app.ts'

const statusSchema = z.object({
  completeUntil: z.string(),
  lastRunAt: z.string(),
  rows: z.number(),
  added: z.number(),
  unreadable: z.number(),
  addedInAll: z.number(),
  rowsOfUnfinishedRuns: z.number(),
  failures: z.number(),
  errors: z.array(z.string()),
})
const healthSchema = z.object({ parts: z.object({ calls: z.object({ detail: statusSchema.nullish() }) }) })
const loginSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const tokenSchema = z.object({ token: z.string() })
const { userName, apiKey, campaigns } = telephonyAccounts.demo

/** The service with a clock that the test moves. It can be stopped and started again with the same data. */
export type ReconciliationDesk = AsyncDisposable & {
  readonly clock: TestClock
  readonly standIns: StandIns
  /** Of the first instance; another one after each start. */
  url(): string
  start(): Promise<void>
  stop(): Promise<void>
  /** What `/health` shows; null before the first comparison. */
  status(): Promise<z.output<typeof statusSchema> | null>
  rest(path: string, token: string): Promise<unknown>
  managerToken(workspace: 'demo' | 'acme'): Promise<string>
  /** A request to the provider's API, as its own user interface would make it, for the demo account. */
  askProvider(method: 'GET' | 'POST', path: string, fields: Readonly<Record<string, string>>): Promise<unknown>
  /** Agent 1 gives the outcome of a call in the provider's own user interface. */
  disposeAtProvider(ucid: string, outcome: { readonly disposition: string; readonly comments: string }): Promise<void>
}

export type DeskOptions = {
  /** Instances that share it; without it there is one, with a store of its own. */
  readonly redisUrl?: string
}

/** Resolves when the service knows both workspaces. */
export async function startReconciliationDesk({ redisUrl }: DeskOptions = {}): Promise<ReconciliationDesk> {
  await using starting = new AsyncDisposableStack()
  const clock = createRunningClock()
  const sandbox = starting.use(await startSandbox({ dataDir: null, clock }))
  const { standIns } = sandbox
  const shared = redisUrl === undefined ? {} : { REDIS_URL: redisUrl, SECRETS_KEY: randomBytes(32).toString('base64') }
  const dataDirs: string[] = []
  for (let count = redisUrl === undefined ? 1 : 2; count > 0; count -= 1) dataDirs.push(starting.use(await createTempDir()).path)
  const apps: App[] = []
  const url = (): string => apps[0]?.url ?? ''

  const start = async (): Promise<void> => {
    for (const DATA_DIR of dataDirs) {
      const address = apps.length === 0 ? ownPublicUrl : { PUBLIC_URL: url() }
      const environment = { ...sandbox.environmentOf('demo'), ...shared, ...address, DATA_DIR, PORT: '0', METRICS_FROM: 'loopback' }
      apps.push(await startApp(environment, { workspaces: [sandbox.environmentOf('acme')], clock }))
    }
  }
  const stop = async (): Promise<void> => {
    await Promise.all(apps.splice(0).map((app) => app[Symbol.asyncDispose]()))
  }
  starting.defer(stop)
  const status = async () => healthSchema.parse(await (await fetch(`${url()}/health`)).json()).parts.calls.detail ?? null
  const askProvider: ReconciliationDesk['askProvider'] = async (method, path, fields) => {
    const headers = { 'content-type': 'application/json' }
    const mint = { method: 'POST', headers: { ...headers, apiKey }, body: JSON.stringify({ userName }) } as const
    const minted = await request(`${standIns.telephony.url}/ca_apis/CAToken/generateToken`, mint)
    const { token } = tokenSchema.parse(await minted.body.json())
    const asked = { method, headers: { ...headers, authorization: `Bearer ${token}` }, body: JSON.stringify({ userName, ...fields }) }
    return (await request(standIns.telephony.url + path, asked)).body.json()
  }
  await start()
  await waitFor(async () => (await status()) !== null, { what: 'the service to know its workspaces' })
  await connectTelephony(url(), standIns.telephony)
  // Calls that began before the service knew the account are none of its business.
  clock.advance(10_000)
  const running = starting.move()

  return {
    clock,
    standIns,
    url,
    start,
    stop,
    status,
    async rest(path, token) {
      const body: unknown = await (await fetch(url() + path, { headers: { authorization: `Bearer ${token}` } })).json()
      return body
    },
    async managerToken(workspace) {
      const answer = await fetch(`${url()}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `manager@${workspace}.example`, password: sandboxPassword, workspace }),
      })
      return loginSchema.parse(await answer.json()).tokens.accessToken.token
    },
    askProvider,
    async disposeAtProvider(ucid, outcome) {
      const fields = { agentID: 'agent1', did: campaigns[0].did.slice(1), ucid, action: 'Set', ...outcome }
      z.object({ status: z.literal('Success') }).parse(await askProvider('POST', '/ca_apis/DispositionAPIV2', fields))
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
