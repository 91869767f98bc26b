import { z } from 'zod'
import type { Actor } from '../../src/access/actor.ts'
import { type Calls, type CallsOptions, createCalls } from '../../src/features/calls/calls.ts'
import type { CallAgentOf } from '../../src/features/calls/call-agent.ts'
import type { Configuration, Sections } from '../../src/ports/configuration/configuration.ts'
import { createSectionSchemas } from '../../src/features/configuration/section-schemas.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import type { EventBus } from '../../src/ports/event-bus.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Store } from '../../src/ports/store.ts'
import { createLanguageModel } from '../../src/providers/models/language-model.ts'
import { createPlatformAgents } from '../../src/providers/platform/agents.ts'
import { createPlatformEndpoint, type PlatformEndpoint } from '../../src/providers/platform/endpoint.ts'
import { createRecordPorts, type RecordPorts } from '../../src/providers/platform/record-ports.ts'
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
import { createTempDir } from './temp-dir.ts'

/** The real adapters against the stand-ins, with a configuration that a test may change in place; no doors. */
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
  readonly agentOf: CallAgentOf
  readonly bus: EventBus
  /** The use cases of calls, with some of their partners replaced. */
  makeCalls(changes?: Partial<CallsOptions>): Calls
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
}

export async function createCallsDesk(options: DeskOptions = {}): Promise<CallsDesk> {
  await using starting = new AsyncDisposableStack()
  const dir = starting.use(await createTempDir())
  const sandbox = starting.use(await startSandbox({ dataDir: null }))
  sandbox.standIns.telephony.accountMode({ mode: 'token' })
  const settings = readSettings(sandbox.environmentOf('demo'))
  const { clock = systemClock, disturb = (undisturbed) => undisturbed, requestsPerMinute } = options
  const store = createSqliteStore({ dataDir: dir.path, clock })
  starting.defer(() => store.close())
  const sections = sectionsFrom(settings)
  const configuration: Configuration = { read: async (_workspaceId, section) => sections[section] }
  const endpoint = createPlatformEndpoint(settings.platform)
  const agents = createPlatformAgents({ endpoint, configuration, log })
  const outbox = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
  const bus = createOutboxBus({ outbox, log, clock: systemClock })
  starting.defer(() => bus.close())
  const notifications = createInProcessNotifications({ log })
  const running = starting.move()
  const desk: Omit<CallsDesk, typeof Symbol.asyncDispose> = {
    standIns: sandbox.standIns,
    workspaceId: sandbox.standIns.platform.workspaceIdOf('demo'),
    configuration,
    configure: (section, change) => void Object.assign(sections, { [section]: { ...sections[section], ...change } }),
    store,
    ports: createRecordPorts({
      endpoint,
      configuration,
      store: disturb(store),
      log,
      clock,
      ...(requestsPerMinute && { requestsPerMinute }),
    }),
    telephonyOf: async () => createTelephony(sections.telephony.provider, { store, clock: systemClock, log, defaultCountry: 'IN' }),
    languageModelOf: async () => createLanguageModel(sections.ai, settings.models),
    async agentOf({ principal: { workspaceId, memberId }, accessToken }) {
      const record = await agents.ofMember({ workspaceId, memberId }, accessToken)
      return (
        record && {
          id: record.id,
          providerAgentId: record.providerAgentId ?? record.id,
          phoneNumber: record.sipExtension,
          campaignName: record.campaignName,
        }
      )
    },
    bus,
    makeCalls: (changes) =>
      createCalls({
        ...desk,
        records: desk.ports,
        outboundOf: () => Promise.reject(new AppError('NOT_CONFIGURED')),
        webhooksOf: async () => createTelephonyWebhooks(sections.telephony.provider, { defaultCountry: 'IN' }),
        webhookProviders: ['ozonetel'],
        hasSession: async () => true,
        watchCaller: () => ({ check: async () => {}, dueInMs: () => 30_000 }),
        outbox,
        notifications,
        audit: createStoreAudit({ store, clock: systemClock }),
        publicUrl: null,
        clock: systemClock,
        log,
        ...changes,
      }),
    signIn: (email) => signIn(endpoint, { email, origin: settings.platform.workspaceUrl.replace('{workspace}', 'demo') }),
  }
  return { ...desk, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function sectionsFrom(settings: ReturnType<typeof readSettings>): { -readonly [Name in keyof Sections]: Sections[Name] } {
  const schemas = createSectionSchemas({
    defaultCountry: 'IN',
    telephony: [ozonetel],
    outbound: [],
    models: [{ id: 'openai-compatible', title: 'Compatible', maxTemperature: 2 }],
  })
  const seed = settings.seeds[0]?.sections
  return {
    telephony: schemas.telephony.parse({ ...seed?.telephony, outbound: null }),
    ai: schemas.ai.parse(seed?.ai ?? {}),
    widget: schemas.widget.parse({}),
    theme: schemas.theme.parse({}),
    platform: schemas.platform.parse(seed?.platform ?? {}),
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
  const names = { email, firstName: '', lastName: '', workspace: 'demo', agentId: null }
  const { id: userId, workspaceMember, currentWorkspace } = currentUser
  return {
    principal: { userId, memberId: workspaceMember.id, workspaceId: currentWorkspace.id, role: 'AGENT', ...names },
    accessToken,
    clientAddress: '127.0.0.1',
  }
}
