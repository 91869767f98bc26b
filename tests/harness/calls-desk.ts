import { createFigures } from '../../src/ports/figures.ts'
import { lateBus, lateStore } from './late-store.ts'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Actor } from '../../src/access/actor.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { createRecordRetries } from '../../src/features/calls/records/record-retries.ts'
import { createWebhookInbox } from '../../src/features/calls/webhook-store/webhook-inbox.ts'
import { writeAlone } from '../../src/features/calls/records/write-alone.ts'
import type { AgentRecordCache } from '../../src/features/sessions/agent-record-cache.ts'
import { createSecretBox } from '../../src/kernel/secrets.ts'
import type { AgentRecords } from '../../src/ports/agents.ts'
import type { Configuration, Sections } from '../../src/ports/configuration/configuration.ts'
import { createSectionSchemas } from '../../src/features/configuration/section-schemas.ts'
import { createNextFlight } from '../../src/kernel/next-flight.ts'
import { createPublicAddress } from '../../src/kernel/public-address.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import type { EventBus } from '../../src/ports/event-bus.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Store } from '../../src/ports/store.ts'
import { createLanguageModel } from '../../src/providers/models/language-model.ts'
import { createPlatformEndpoint, type PlatformEndpoint } from '../../src/providers/platform/endpoint.ts'
import { createPlatformMembers } from '../../src/providers/platform/members.ts'
import { createRecordPorts, type RecordPorts } from '../../src/providers/platform/platform-ports.ts'
import { createOutboxBus } from '../../src/providers/broker/outbox-bus.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createStoreAudit } from '../../src/providers/store/audit.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { ozonetel } from '../../src/providers/telephony/ozonetel/provider.ts'
import { createTelephony, createTelephonyWebhooks } from '../../src/providers/telephony/registry.ts'
import type { LanguageModel } from '../../src/ports/language-model.ts'
import type { Telephony } from '../../src/ports/telephony.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { startSandbox, type StandIns } from '../../src/sandbox/start.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { testPrincipal } from './gateway.ts'
import { createTempDir } from './temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

/** The real adapters against the stand-ins, with a configuration that a test may change in place; no HTTP handlers. */
export type CallsDesk = AsyncDisposable & {
  readonly standIns: StandIns
  readonly workspaceId: string
  readonly configuration: Configuration
  /** Changes a section for all workspaces. */
  configure<Name extends keyof Sections>(section: Name, change: Partial<Sections[Name]>): void
  readonly store: Store
  readonly ports: RecordPorts
  readonly telephonyOf: (workspaceId: string) => Promise<Telephony>
  readonly languageModelOf: (workspaceId: string) => Promise<LanguageModel>
  readonly bus: EventBus
  /** For the use cases of calls. A test may replace some of them. */
  readonly callPorts: CallPorts
  signIn(email: string): Promise<Actor>
}

const log = createLog('silent')

export type DeskOptions = {
  /** What an API key may do; the platform's own limit by default. */
  readonly requestsPerMinute?: number
  /** The clock of the store and of the records. */
  readonly clock?: Clock
  /** Disturbs the store that the records use. */
  readonly disturb?: (store: Store) => Store
  /** Stands between the records and the platform. */
  readonly before?: (platform: PlatformEndpoint) => PlatformEndpoint
}

export async function createCallsDesk(options: DeskOptions = {}): Promise<CallsDesk> {
  await using starting = new AsyncDisposableStack()
  const dir = starting.use(await createTempDir())
  const sandbox = starting.use(await startSandbox({ dataDir: null }))
  sandbox.standIns.telephony.accountMode({ mode: 'token' })
  const settings = readSettings(sandbox.environmentOf('demo'))
  const { clock = systemClock, disturb = (undisturbed) => undisturbed, before = (platform) => platform, requestsPerMinute } = options
  const store = lateStore(createSqliteStore({ dataDir: dir.path, clock, retentionOf }))
  starting.defer(() => store.close())
  const sections = sectionsFrom(settings)
  const configuration: Configuration = { read: async (_workspaceId, section) => sections[section] }
  const endpoint = before(createPlatformEndpoint(settings.platform))
  const outbox = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
  const bus = lateBus(createOutboxBus({ outbox, log, clock: systemClock }))
  starting.defer(() => bus.close())
  const ports = createRecordPorts({
    endpoint,
    configuration,
    store: disturb(store),
    log,
    clock,
    ...(requestsPerMinute && { requestsPerMinute }),
  })
  const telephonyOf = async () => createTelephony(sections.telephony.provider, { store, clock: systemClock, log, defaultCountry: 'IN' })
  const languageModelOf = async () => createLanguageModel(sections.ai, settings.models)
  const webhooks = createTelephonyWebhooks(sections.telephony.provider, { defaultCountry: 'IN' })
  const webhookBox = createSecretBox(randomBytes(32))
  // Its writes come later, between the steps that a test counts.
  const webhookLog = { note: () => {}, giveUp: async () => {}, stop: async () => {} }
  const callPorts: CallPorts = {
    ...ports,
    audit: createStoreAudit({ store, clock: systemClock }),
    members: createPlatformMembers(endpoint),
    bus,
    clock: systemClock,
    configuration,
    figures: createFigures(),
    languageModelOf,
    log,
    notifications: createInProcessNotifications({ log }),
    outboundTelephonyOf: async () => null,
    store,
    telephonyOf,
    telephonyWebhooksOf: async () => webhooks,
    agentRecordCache: uncached(ports.agentRecords),
    principals: { resolve: () => Promise.reject(new Error('no stream of this desk lives that long')), follow: () => new DisposableStack() },
    sessionBox: createSecretBox(randomBytes(32)),
    recordRetries: createRecordRetries({ outbox, store, clock: systemClock, log }, (input) => writeAlone(callPorts, input)),
    webhookBox,
    webhookLog,
    webhookInbox: createWebhookInbox({ outbox, clock: systemClock, log, webhookLog }, async () => {}),
    webhookProviders: ['ozonetel'],
    publicAddress: createPublicAddress(null),
    liveEventsSecret: randomBytes(32),
    servedWorkspaces: { workspaces: [] },
    schemas: sectionSchemas,
    liveCallReads: createNextFlight(),
    workspaces: { idOf: async () => null, ownerOfApiKey: async () => null },
  }
  starting.defer(() => callPorts.recordRetries.stop())
  const running = starting.move()
  return {
    standIns: sandbox.standIns,
    workspaceId: sandbox.standIns.platform.workspaceIdOf('demo'),
    configuration,
    configure: (section, change) => void Object.assign(sections, { [section]: { ...sections[section], ...change } }),
    store,
    ports,
    telephonyOf,
    languageModelOf,
    bus,
    callPorts,
    signIn: (email) => signIn(endpoint, { email, origin: settings.platform.workspaceUrl.replace('{workspace}', 'demo') }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function uncached(agents: AgentRecords): AgentRecordCache {
  return {
    ofMember: async (member, accessToken) => ({ record: await agents.ofMember(member, accessToken), readAt: 0 }),
    forget: async () => {},
  }
}

const sectionSchemas = createSectionSchemas({
  defaultCountry: 'IN',
  telephony: [ozonetel],
  outbound: [],
  models: [{ id: 'openai-compatible', title: 'Compatible', maxTemperature: 2 }],
})

function sectionsFrom(settings: ReturnType<typeof readSettings>): { -readonly [Name in keyof Sections]: Sections[Name] } {
  const schemas = sectionSchemas
  const seed = settings.seeds[0]?.sections
  return {
    telephony: schemas.telephony.parse({ ...seed?.telephony, outbound: null }),
    ai: schemas.ai.parse(seed?.ai ?? {}),
    widget: schemas.widget.parse({}),
    theme: schemas.theme.parse({}),
    platform: schemas.platform.parse(seed?.platform ?? {}),
    alerts: schemas.alerts.parse(seed?.alerts ?? {}),
  }
}

const loginSchema = z.object({ getLoginTokenFromCredentials: z.object({ loginToken: z.object({ token: z.string() }) }) })
const exchangeSchema = z.object({
  getAuthTokensFromLoginToken: z.object({ tokens: z.object({ accessOrWorkspaceAgnosticToken: z.object({ token: z.string() }) }) }),
})
const profileSchema = z.object({
  currentUser: z.object({ id: z.string(), workspaceMember: z.object({ id: z.string() }), currentWorkspace: z.object({ id: z.string() }) }),
})

async function signIn(endpoint: PlatformEndpoint, { email, origin }: { email: string; origin: string }): Promise<Actor> {
  const login = await endpoint.request({
    endpoint: 'metadata',
    document: `mutation($email: String!, $password: String!, $origin: String!) {
      getLoginTokenFromCredentials(email: $email, password: $password, origin: $origin) { loginToken { token } } }`,
    variables: { email, password: sandboxPassword, origin },
    accessToken: null,
    answer: loginSchema,
  })
  const exchange = await endpoint.request({
    endpoint: 'metadata',
    document: `mutation($loginToken: String!, $origin: String!) {
      getAuthTokensFromLoginToken(loginToken: $loginToken, origin: $origin) { tokens { accessOrWorkspaceAgnosticToken { token } } } }`,
    variables: { loginToken: login.getLoginTokenFromCredentials.loginToken.token, origin },
    accessToken: null,
    answer: exchangeSchema,
  })
  const accessToken = exchange.getAuthTokensFromLoginToken.tokens.accessOrWorkspaceAgnosticToken.token
  const { currentUser } = await endpoint.request({
    endpoint: 'metadata',
    document: '{ currentUser { id workspaceMember { id } currentWorkspace { id } } }',
    accessToken,
    answer: profileSchema,
  })
  const { id: userId, workspaceMember, currentWorkspace } = currentUser
  return {
    principal: testPrincipal({ userId, memberId: workspaceMember.id, workspaceId: currentWorkspace.id, email }),
    accessToken,
    clientAddress: '127.0.0.1',
  }
}
