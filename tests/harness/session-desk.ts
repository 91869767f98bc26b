import { createAuth } from '../../src/features/auth/auth.ts'
import type { SignIn } from '../../src/features/auth/log-in.ts'
import { createSectionSchemas } from '../../src/features/configuration/section-schemas.ts'
import type { Configuration, Sections } from '../../src/ports/configuration/configuration.ts'
import type { DomainEvent } from '../../src/ports/event-catalogue.ts'
import type { Audit } from '../../src/ports/audit.ts'
import { createWithFallback } from '../../src/kernel/with-fallback.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createSecretBox } from '../../src/kernel/secrets.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStoreAudit } from '../../src/providers/store/audit.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createPlatformAgents } from '../../src/providers/platform/agents.ts'
import { createPlatformEndpoint } from '../../src/providers/platform/endpoint.ts'
import { createPlatformIdentity } from '../../src/providers/platform/identity.ts'
import { createLimiters } from '../../src/providers/store/rate-limiter.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { ozonetel } from '../../src/providers/telephony/ozonetel/provider.ts'
import { createTelephony } from '../../src/providers/telephony/registry.ts'
import { type StandIns, startSandbox } from '../../src/sandbox/start.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createSessions } from '../../src/features/sessions/sessions.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createTempDir } from './temp-dir.ts'

export type LogInAs = {
  readonly password?: string
  readonly workspace?: string | null
  readonly origin?: string | null
  readonly address?: string
  readonly signal?: AbortSignal
  /** Whether the answer reaches the client; true where left out. */
  readonly arrives?: boolean
}

/** Sign-in and sessions with the real adapters against the stand-ins on a moved clock, without doors. */
export type SessionDesk = AsyncDisposable & {
  readonly standIns: StandIns
  readonly clock: TestClock
  readonly store: Store
  readonly events: DomainEvent[]
  readonly audit: Audit
  readonly workspaceId: string
  configure<Name extends keyof Sections>(section: Name, change: Partial<Sections[Name]>): void
  section<Name extends keyof Sections>(section: Name): Sections[Name]
  /** A further instance of the service, on the same store and for the same workspaces where no others are given. */
  instance(own?: InstanceOptions): Instance
}

export type InstanceOptions = { readonly store?: Store; readonly workspaces?: readonly string[] }
export type Instance = ReturnType<typeof createInstance>
type Parts = { readonly auth: ReturnType<typeof createAuth>; readonly sessions: ReturnType<typeof createSessions> }

const log = createLog('silent')

export type SessionDeskOptions = { readonly store?: Store; readonly clock?: TestClock }

export async function createSessionDesk(options: SessionDeskOptions = {}): Promise<SessionDesk> {
  await using starting = new AsyncDisposableStack()
  const clock = options.clock ?? createTestClock(new Date().toISOString())
  const dir = starting.use(await createTempDir())
  const sandbox = starting.use(await startSandbox({ dataDir: null, clock }))
  const { standIns } = sandbox
  const settings = readSettings(sandbox.environmentOf('demo'))
  const store = options.store ?? createSqliteStore({ dataDir: dir.path, clock })
  starting.defer(() => store.close())
  const notifications = createInProcessNotifications({ log })
  starting.defer(() => notifications.close())
  const sections = sectionsFrom(settings)
  const configuration: Configuration = { read: async (_workspaceId, section) => sections[section] }
  const events: DomainEvent[] = []
  const audit = createStoreAudit({ store, clock })
  const box = createSecretBox(new Uint8Array(32).fill(7))
  const served = { workspaces: settings.workspaces, template: settings.platform.workspaceUrl }

  const instance = (own: InstanceOptions = {}): Instance => {
    const common = {
      configuration,
      store: own.store ?? store,
      withFallback: createWithFallback({ patienceMs: 100, pauseMs: 1_000 }),
      notifications,
      clock,
      log,
    }
    const endpoint = createPlatformEndpoint(settings.platform)
    const sessions = createSessions({
      ...common,
      box,
      destinationsOf: async () => ({ sip: 'here', provider: 'here' }),
      audit,
      agents: createPlatformAgents({ endpoint, configuration, log }),
      telephonyOf: async () => createTelephony(sections.telephony.provider, { store, clock, log, defaultCountry: 'IN' }),
      bus: { publish: async (event) => void events.push(event) },
    })
    const originOf = (workspace: string): string => served.template.replace('{workspace}', workspace)
    const auth = createAuth({
      ...common,
      sessions,
      served: { ...served, ...(own.workspaces && { workspaces: own.workspaces }) },
      identity: createPlatformIdentity({ endpoint, originOf }),
      roleNames: sections.platform.roles,
      limiterOf: createLimiters(common),
      wizardRequired: async () => true,
    })
    endpoint.onMemberGone((accessToken) => void auth.memberGone(accessToken))
    return createInstance({ auth, sessions })
  }
  const running = starting.move()
  return {
    standIns,
    clock,
    store,
    events,
    audit,
    workspaceId: standIns.platform.workspaceIdOf('demo'),
    configure: (section, change) => void Object.assign(sections, { [section]: { ...sections[section], ...change } }),
    section: (section) => sections[section],
    instance,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function createInstance(parts: Parts) {
  const staying = new AbortController().signal
  const logIn = async (email: string, as: LogInAs = {}): Promise<SignIn> => {
    const { password = sandboxPassword, workspace = 'demo', origin = null, address = '203.0.113.7', signal = staying, arrives = true } = as
    const told: ((sent: boolean) => void)[] = []
    const asking = {
      clientAddress: address,
      origin,
      signal,
      log,
      afterAnswer: (then: (sent: boolean) => void) => void told.push(then),
      allowAtLeast: () => {},
    }
    const answer = await parts.auth.logIn({ email, password, workspace }, asking)
    for (const then of told) then(arrives)
    return answer
  }
  const asking = { clientAddress: '203.0.113.7', origin: null, signal: staying }
  return { ...parts, logIn, asking }
}

function sectionsFrom(settings: ReturnType<typeof readSettings>): { -readonly [Name in keyof Sections]: Sections[Name] } {
  const models = [{ id: 'openai-compatible', title: 'Compatible', maxTemperature: 2 }] as const
  const schemas = createSectionSchemas({ defaultCountry: 'IN', telephony: [ozonetel], outbound: [], models })
  const seed = settings.seeds[0]?.sections
  return {
    telephony: schemas.telephony.parse({ ...seed?.telephony, outbound: null }),
    ai: schemas.ai.parse(seed?.ai ?? {}),
    widget: schemas.widget.parse({}),
    theme: schemas.theme.parse({}),
    platform: schemas.platform.parse(seed?.platform ?? {}),
  }
}
