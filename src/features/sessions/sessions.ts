import type { Telephony } from '../../ports/telephony.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Audit } from '../../ports/audit.ts'
import type { WithFallback } from '../../kernel/with-fallback.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { Store } from '../../ports/store.ts'
import { createAgentAtProvider } from './agent-at-provider.ts'
import { createAgentConfigurations } from './agent-record-cache.ts'
import { createAgentSecrets, type SecretDestinations } from './agent-secrets.ts'
import type { AgentRecords, Member } from '../../ports/agents.ts'
import { createAnnounce } from './session-events.ts'
import { createCurrentSession } from './current-session.ts'
import { createEndMemberSession } from './end-member-session.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createLogOut } from './end-session.ts'
import { createListSessions, createLiveSessions } from './list-sessions.ts'
import { createProviderTurns } from './provider-lease.ts'
import { createReleaseSession } from './release-session.ts'
import { createEndSession } from './close-session.ts'
import { createSessionLocks } from './session-lock.ts'
import { createSessionRegister } from './session-records.ts'
import { createStartSession } from './start-session.ts'
import { createCleanUpSessions } from './clean-up-sessions.ts'

export type SessionsOptions = {
  readonly agents: AgentRecords
  readonly configuration: Configuration
  readonly telephonyOf: (workspaceId: string) => Promise<Telephony>
  readonly store: Store
  /** For what can do without the store for a while; one for all, so that a store that hangs is waited for once. */
  readonly withFallback: WithFallback
  readonly box: SecretBox
  /** Where the passwords of agents are sent, as the configuration stands. */
  readonly destinationsOf: (workspaceId: string) => Promise<SecretDestinations>
  readonly notifications: Notifications
  readonly bus: Pick<EventBus, 'publish'>
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
}

/** Who may take calls: the use cases of agent sessions, put together. */
export type Sessions = ReturnType<typeof createSessions>

export function createSessions(options: SessionsOptions) {
  const { store, box, configuration, audit, clock, log } = options
  const agents = createAgentConfigurations(options)
  const forgetConfiguration = (member: Member): Promise<void> => agents.forget(member)
  const secrets = createAgentSecrets(options)
  const locks = createSessionLocks(store)
  const register = createSessionRegister(store, box)
  const turns = createProviderTurns(store)
  const provider = createAgentAtProvider(options)
  const announce = createAnnounce(options)
  const endSession = createEndSession({ locks, register, turns, provider, clock, log })
  const current = createCurrentSession({ locks, register })
  const live = createLiveSessions({ locks, register })
  return {
    agents,
    secrets,
    current,
    startSession: createStartSession({ locks, register, turns, provider, secrets, configuration, endSession, announce, clock }),
    heartbeat: createHeartbeat({ current, locks, register, clock }),
    logOut: createLogOut({ current, endSession, forgetConfiguration, announce }),
    live,
    list: createListSessions(live),
    release: createReleaseSession({ locks, register, endSession, forgetConfiguration, announce, audit }),
    endMemberSession: createEndMemberSession({ current, endSession, forgetConfiguration, announce }),
    sweep: createCleanUpSessions({ locks, register, turns, provider, announce, clock }),
  }
}
