import { z } from 'zod'
import type { Resolve } from '../../src/kernel/address-guard.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { createLog, type Log } from '../../src/kernel/log.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { type StandIns, startSandbox } from '../../src/sandbox/start.ts'
import { choicesOfAccount } from '../../src/sandbox/vendors.ts'
import type { GatewayPlugin } from '../../src/server/graphql/yoga.ts'
import type { RegisteredProvider } from '../../src/providers/telephony/registry.ts'
import { connectTelephony, ownPublicUrl } from './connect-telephony.ts'
import { createTempDir } from './temp-dir.ts'
import { startApp } from './start-app.ts'

export type TestAppOptions = {
  /** The clock of the service and of the stand-ins; the system's where left out. */
  readonly clock?: Clock
  /** A clock of the stand-ins' own: the service runs on another machine. */
  readonly standInClock?: Clock
  /** Further settings, by their environment names. */
  readonly environment?: Readonly<Record<string, string>>
  /** Settings that need the addresses of the stand-ins, for example of what stands before one of them. */
  readonly environmentFor?: (standIns: StandIns) => Promise<Readonly<Record<string, string>>>
  /** How the hosts of addresses that people enter are resolved; the system's resolver where left out. */
  readonly resolveHost?: Resolve
  /** Whether the demo workspace is a hospital with a widget, shown at `/widget/demo`, as in the sandbox that a person starts. */
  readonly withDemo?: boolean
  /** Whether the platform is as just installed: roles Admin, Member and Guest, no custom objects, no records. */
  readonly hasFreshPlatform?: boolean
  /** Whether the telephony stand-in reports calls: its live events where the service has subscribed them, and the ends of calls. */
  readonly receivesWebhooks?: boolean
  /** Further plugins of the Yoga server. */
  readonly yogaPlugins?: readonly GatewayPlugin[]
  /** Instead of those of the registry. */
  readonly telephonyProviders?: readonly RegisteredProvider[]
}

/** A GraphQL answer, its members as they came. */
export type GraphqlAnswer = z.output<typeof graphqlAnswer>
const errorSchema = z.looseObject({
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
})
const graphqlAnswer = z.looseObject({ data: z.record(z.string(), z.unknown()).nullish(), errors: z.array(errorSchema).optional() })

export type RestRequest = {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
export type RestAnswer = { readonly status: number; readonly headers: Headers; readonly body: unknown }

const signInSchema = z.looseObject({
  tokens: z.object({ accessToken: z.object({ token: z.string() }), refreshToken: z.object({ token: z.string() }) }),
  memberId: z.string(),
  session: z.object({ agentId: z.string(), lockedAt: z.string() }).nullable(),
})
export type TestSignIn = {
  readonly token: string
  readonly refreshToken: string
  readonly memberId: string
  readonly agentId: string | null
  readonly lockedAt: string | null
}

/** The real wiring with the sandbox's stand-ins, all on real sockets; nothing of it outlives `await using`. */
export type TestApp = AsyncDisposable & {
  readonly url: string
  readonly standIns: StandIns
  readonly dataDir: string
  /** Everything that was logged, a line each. */
  readonly logged: readonly string[]
  graphql(query: string, options?: { variables?: Readonly<Record<string, unknown>>; token?: string | undefined }): Promise<GraphqlAnswer>
  rest(method: string, path: string, request?: RestRequest): Promise<RestAnswer>
  /** Ends the service as by the signal to stop; the stand-ins go on. */
  stop(): Promise<void>
  /** Starts it again, on its port and with its data. */
  start(): Promise<void>
  /** Signs a seeded member in by REST; fails where that is refused. The workspace is the one of the e-mail address. */
  signIn(email: string): Promise<TestSignIn>
}

export async function createTestApp({
  clock,
  standInClock = clock,
  environment = {},
  environmentFor,
  resolveHost,
  withDemo = false,
  hasFreshPlatform = false,
  receivesWebhooks = false,
  yogaPlugins,
  telephonyProviders,
}: TestAppOptions = {}): Promise<TestApp> {
  await using starting = new AsyncDisposableStack()
  const { path: dataDir } = starting.use(await createTempDir())
  const sandbox = starting.use(await startSandbox({ dataDir: null, hasFreshPlatform, ...(standInClock && { clock: standInClock }) }))
  const own = {
    DATA_DIR: dataDir,
    PORT: '0',
    METRICS_FROM: 'loopback',
    ...(withDemo && { ...choicesOfAccount('demo'), ...sandbox.hospital }),
    ...(receivesWebhooks && ownPublicUrl),
    ...environment,
    ...(await environmentFor?.(sandbox.standIns)),
  }
  const { log, logged } = createRecordingLog()
  const overrides = {
    ...(clock && { clock }),
    ...(resolveHost && { resolveHost }),
    ...(yogaPlugins && { yogaPlugins }),
    ...(telephonyProviders && { telephonyProviders }),
    ...(withDemo && { demo: sandbox.demo }),
  }
  const workspaces = [sandbox.environmentOf('acme')]
  const start = (port: string) => startApp({ ...sandbox.environmentOf('demo'), ...own, PORT: port }, { workspaces, log, ...overrides })
  let app = await start(own.PORT)
  starting.defer(() => app[Symbol.asyncDispose]())
  if (receivesWebhooks) await connectTelephony(app.url, sandbox.standIns.telephony)
  const running = starting.move()

  const rest: TestApp['rest'] = async (method, path, { token, body, headers = {} } = {}) => {
    const isText = typeof body === 'string'
    const response = await fetch(app.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: bodyOf(await response.text()) }
  }

  return {
    url: app.url,
    standIns: sandbox.standIns,
    dataDir,
    logged,
    rest,
    async graphql(query, { variables, token } = {}) {
      const { body } = await rest('POST', '/graphql', { token, body: { query, variables } })
      return graphqlAnswer.parse(body)
    },
    stop: async () => app[Symbol.asyncDispose](),
    start: async () => void (app = await start(new URL(app.url).port)),
    async signIn(email) {
      const workspace = email.split('@')[1]?.split('.')[0]
      const { status, body } = await rest('POST', '/auth/login', { body: { email, password: sandboxPassword, workspace } })
      if (status !== 200) throw new Error(`${email} could not sign in: ${JSON.stringify(body)}`)
      const { tokens, memberId, session } = signInSchema.parse(body)
      return {
        token: tokens.accessToken.token,
        refreshToken: tokens.refreshToken.token,
        memberId,
        agentId: session?.agentId ?? null,
        lockedAt: session?.lockedAt ?? null,
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function createRecordingLog(): { log: Log; logged: string[] } {
  const logged: string[] = []
  return { log: createLog('debug', { write: (line) => void logged.push(line), onLost: () => {} }), logged }
}
