import { createFigures } from '../../src/ports/figures.ts'
import type { AuthPorts } from '../../src/features/auth/auth-ports.ts'
import { createAuthState } from '../../src/features/auth/auth-state.ts'
import { logIn, type LogInContext, type LogInResult } from '../../src/features/auth/log-in.ts'
import { signOutGoneMember } from '../../src/features/auth/sign-out-gone-member.ts'
import { cleanUpSessions } from '../../src/features/sessions/clean-up-sessions.ts'
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
import { createRecordPorts } from '../../src/providers/platform/platform-ports.ts'
import { createPlatformEndpoint } from '../../src/providers/platform/endpoint.ts'
import { createPlatformIdentity } from '../../src/providers/platform/identity.ts'
import { createLimiters } from '../../src/providers/store/rate-limiter.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { ozonetel } from '../../src/providers/telephony/ozonetel/provider.ts'
import { createTelephony } from '../../src/providers/telephony/registry.ts'
import { type StandIns, startSandbox } from '../../src/sandbox/start.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createAgentRecordCache } from '../../src/features/sessions/agent-record-cache.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createTempDir } from './temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'
import { doDue } from './do-due.ts'

export type LogInAs = {
  readonly password?: string
  readonly workspace?: string | null
  readonly origin?: string | null
  readonly address?: string
  readonly signal?: AbortSignal
  /** Whether the answer reaches the client; default: true. */
  readonly arrives?: boolean
}

/** Sign-in and sessions with the real adapters against the stand-ins, on a clock that the test moves, without the HTTP handlers. */
export type SessionDesk = AsyncDisposable & {
  readonly standIns: StandIns
  readonly clock: TestClock
  readonly store: Store
  readonly events: DomainEvent[]
  readonly audit: Audit
  readonly workspaceId: string
  configure<Name extends keyof Sections>(section: Name, change: Partial<Sections[Name]>): void
  section<Name extends keyof Sections>(section: Name): Sections[Name]
  /** Another instance of the service; by default on the same store and for the same workspaces. */
  instance(own?: InstanceOptions): Instance
}

export type InstanceOptions = { readonly store?: Store; readonly workspaces?: readonly string[] }
export type Instance = ReturnType<typeof createInstance>

const log = createLog('silent')
const models = [{ id: 'openai-compatible', title: 'Compatible', maxTemperature: 2 }] as const
const sectionSchemas = createSectionSchemas({ defaultCountry: 'IN', telephony: [ozonetel], outbound: [], models })

export type SessionDeskOptions = { readonly store?: Store; readonly clock?: TestClock }

export async function createSessionDesk(options: SessionDeskOptions = {}): Promise<SessionDesk> {
  await using starting = new AsyncDisposableStack()
  const clock = options.clock ?? createTestClock(new Date().toISOString())
  const dir = starting.use(await createTempDir())
  const sandbox = starting.use(await startSandbox({ dataDir: null, clock }))
  const { standIns } = sandbox
  const settings = readSettings(sandbox.environmentOf('demo'))
  const store = options.store ?? createSqliteStore({ dataDir: dir.path, clock, retentionOf })
  starting.defer(() => store.close())
  const notifications = createInProcessNotifications({ log })
  starting.defer(() => notifications.close())
  const sections = sectionsFrom(settings)
  const configuration: Configuration = { read: async (_workspaceId, section) => sections[section] }
  const events: DomainEvent[] = []
  const audit = createStoreAudit({ store, clock })
  const sessionBox = createSecretBox(new Uint8Array(32).fill(7))
  const served = { workspaces: settings.workspaces, template: settings.platform.workspaceUrl }

  const instance = (own: InstanceOptions = {}): Instance => {
    const endpoint = createPlatformEndpoint(settings.platform)
    const withFallback = createWithFallback({ patienceMs: 100, pauseMs: 1_000 })
    const shared = { store: own.store ?? store, withFallback, notifications, clock, log, figures: createFigures(), sessionBox }
    const { agentRecords } = createRecordPorts({ endpoint, configuration, store: shared.store, clock, log })
    const common = {
      ...shared,
      configuration,
      lastKnownConfiguration: configuration,
      audit,
      bus: { publish: async (event: DomainEvent) => void events.push(event) },
      telephonyOf: async () => createTelephony(sections.telephony.provider, { store, clock, log, defaultCountry: 'IN' }),
      agentRecordCache: createAgentRecordCache({ ...shared, agentRecords, platformAwayMs: 900_000 }),
      schemas: sectionSchemas,
      identity: createPlatformIdentity({ endpoint, originOf: (workspace) => served.template.replace('{workspace}', workspace) }),
      platformAwayMs: 900_000,
      servedWorkspaces: { ...served, ...(own.workspaces && { workspaces: own.workspaces }) },
      installedRoles: settings.platform.roles,
      wizardRequired: async () => true,
      onPasswordProved: async () => {},
    }
    const ports = { ...common, ...createAuthState(common, createLimiters(shared)) }
    endpoint.onMemberGone((accessToken) => void signOutGoneMember(ports, accessToken))
    return createInstance(ports)
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

/** After a test: the stand-ins work again, and every session has ended. */
export async function endTest(desk: SessionDesk, { ports }: Instance): Promise<void> {
  desk.standIns.platform.clearFaults()
  desk.standIns.telephony.clearFaults()
  desk.clock.advance(2 * 3_600_000)
  await doDue(cleanUpSessions, ports)
  desk.events.length = 0
}

function createInstance(ports: AuthPorts) {
  const { signal: never } = new AbortController()
  /** The ports of its use cases, and a sign-in from a client. */
  return {
    ports,
    client: { clientAddress: '203.0.113.7', origin: null, signal: never },
    async logIn(email: string, as: LogInAs = {}): Promise<LogInResult> {
      const { password = sandboxPassword, workspace = 'demo', origin = null, address = '203.0.113.7', signal = never, arrives = true } = as
      const callbacks: ((sent: boolean) => void)[] = []
      const context: LogInContext = {
        clientAddress: address,
        origin,
        signal,
        log,
        afterAnswer: (callback) => void callbacks.push(callback),
        allowAtLeast: () => {},
        pausing: (wait) => wait(),
      }
      const answer = await logIn(ports, context, { email, password, workspace })
      for (const callback of callbacks) callback(arrives)
      return answer
    },
  }
}

function sectionsFrom(settings: ReturnType<typeof readSettings>): { -readonly [Name in keyof Sections]: Sections[Name] } {
  const seed = settings.seeds[0]?.sections
  return {
    telephony: sectionSchemas.telephony.parse({ ...seed?.telephony, outbound: null }),
    ai: sectionSchemas.ai.parse(seed?.ai ?? {}),
    widget: sectionSchemas.widget.parse({}),
    theme: sectionSchemas.theme.parse({}),
    platform: sectionSchemas.platform.parse(seed?.platform ?? {}),
    alerts: sectionSchemas.alerts.parse({}),
  }
}
