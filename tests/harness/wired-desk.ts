import type { Actor } from '../../src/access/actor.ts'
import type { AuthPorts } from '../../src/features/auth/auth-ports.ts'
import { createAuthState } from '../../src/features/auth/auth-state.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { createAgentRecordCache } from '../../src/features/sessions/agent-record-cache.ts'
import { sessionLocks, takeLock } from '../../src/features/sessions/session-lock.ts'
import { writeSessionRecord } from '../../src/features/sessions/session-records.ts'
import { createTeamState, type TeamPorts } from '../../src/features/team/team-ports.ts'
import { createWidget } from '../../src/features/widget/widget.ts'
import type { WidgetPorts } from '../../src/features/widget/widget-ports.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { createWithFallback } from '../../src/kernel/with-fallback.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createLimiters } from '../../src/providers/store/rate-limiter.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { type StandIns, startSandbox } from '../../src/sandbox/start.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { callPorts } from '../../src/wiring/calls.ts'
import { openInfrastructure } from '../../src/wiring/infrastructure.ts'
import { createPorts, type WiredPorts } from '../../src/wiring/ports.ts'
import { openRecordings, type Recordings } from '../../src/wiring/recordings.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createSteps, type Steps } from './each-step.ts'
import { createTempDir } from './temp-dir.ts'

/** The ports of all features as the service wires them, against the stand-ins, each of their methods a step; no handlers, no jobs, no consumers. */
export type WiredDesk = AsyncDisposable & {
  readonly clock: TestClock
  readonly standIns: StandIns
  readonly workspaceId: string
  readonly steps: Steps
  readonly ports: WiredPorts
  readonly auth: AuthPorts & WiredPorts
  readonly calls: CallPorts
  readonly team: TeamPorts
  readonly recordings: Recordings
  readonly widget: WidgetPorts
  signIn(email: string): Promise<Actor>
  /** Gives the actor a session that began now, as this agent of the provider. */
  beginSession(actor: Actor, providerAgentId: string): Promise<void>
}

export async function createWiredDesk(environment: Readonly<Record<string, string>> = {}): Promise<WiredDesk> {
  await using starting = new AsyncDisposableStack()
  const clock = createTestClock()
  const { path } = starting.use(await createTempDir())
  const sandbox = starting.use(await startSandbox({ dataDir: null, clock }))
  // The limit of the platform's API key is not what these tests are about.
  const own = { DATA_DIR: path, PORT: '0', PLATFORM_REQUESTS_PER_MINUTE: '100000', PUBLIC_URL: 'http://127.0.0.1:4000', ...environment }
  const settings = readSettings({ ...sandbox.environmentOf('demo'), ...own })
  const opened = await openInfrastructure(settings, { clock, log: createLog('silent') }, starting)
  // What can be done without is tried each time.
  const infrastructure = { ...opened, withFallback: createWithFallback({ patienceMs: 10_000, pauseMs: 0 }) }
  const steps = createSteps()
  const ports = steps.around(starting.use(createPorts(settings, infrastructure)))
  starting.defer(() => ports.stopWaiting())
  const common = {
    ...ports,
    sessionBox: infrastructure.boxFor('sessions'),
    agentRecordCache: createAgentRecordCache({ ...ports, sessionBox: infrastructure.boxFor('sessions'), platformAwayMs: 900_000 }),
    platformAwayMs: 900_000,
    servedWorkspaces: { workspaces: settings.workspaces, template: settings.platform.workspaceUrl },
    wizardRequired: async () => true,
    onPasswordProved: async () => {},
  }
  const auth = { ...common, ...createAuthState(common, createLimiters(infrastructure)) }
  const passwords = { teamBox: infrastructure.boxFor('team'), temporaryPasswordMs: 72 * 3_600_000 }
  const recordings = starting.use(openRecordings(settings, auth))
  const widget = starting.use(createWidget(auth, createLimiters(infrastructure)))
  const running = starting.move()
  return {
    clock,
    standIns: sandbox.standIns,
    workspaceId: sandbox.standIns.platform.workspaceIdOf('demo'),
    steps,
    ports,
    auth,
    calls: callPorts(settings, auth),
    team: { ...auth, ...passwords, ...createTeamState(), isShared: true },
    recordings,
    widget,
    async signIn(email) {
      const loginToken = await ports.identity.logIn({ email, password: sandboxPassword, workspace: 'demo' })
      const { accessToken } = await ports.identity.exchange({ loginToken, workspace: 'demo' })
      return { principal: await auth.principals.resolve(accessToken.token), accessToken: accessToken.token, clientAddress: '203.0.113.7' }
    },
    beginSession: (actor, providerAgentId) => beginSession(auth, actor, providerAgentId),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function beginSession(ports: AuthPorts, { principal: { workspaceId, memberId } }: Actor, providerAgentId: string): Promise<void> {
  const agentKey = { workspaceId, providerAgentId }
  const lockedAt = isoMoment(ports.clock.now())
  await sessionLocks.delete(ports, agentKey)
  await takeLock(ports.store, { agentKey, lock: { memberId, ip: '203.0.113.7', lockedAt } })
  const credentials = { agentId: providerAgentId, password: 'secret' }
  const record = { agentId: 'r1', agentName: 'Agent', memberId, lockedAt, credentials, isOver: false, takenOverBy: null }
  await writeSessionRecord(ports, agentKey, record)
}
