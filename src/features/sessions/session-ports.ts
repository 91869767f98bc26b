import type { SecretBox } from '../../kernel/secrets.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Ports } from '../../ports/ports.ts'
import type { AgentRecordCache } from './agent-record-cache.ts'

/** Where each password of an agent is sent, as short texts that differ if the destinations differ. */
export type SecretDestinations = { readonly sip: string; readonly provider: string }

/** What the use cases of agent sessions work with. */
export type SessionPorts = Pick<Ports, 'store' | 'configuration' | 'telephonyOf' | 'notifications' | 'audit' | 'clock' | 'log'> & {
  readonly bus: Pick<EventBus, 'publish'>
  readonly agentRecordCache: AgentRecordCache
  /** Seals the passwords of agents in the store. */
  readonly sessionBox: SecretBox
  /** Where the passwords of a workspace's agents are sent, as its configuration is now. */
  readonly secretDestinationsOf: (workspaceId: string) => Promise<SecretDestinations>
}
