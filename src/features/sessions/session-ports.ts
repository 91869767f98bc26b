import type { SecretBox } from '../../kernel/secrets.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SectionSchemas } from '../configuration/section-schemas.ts'
import type { AgentRecordCache } from './agent-record-cache.ts'
import type { SignIns } from './sign-ins/sign-ins.ts'

/** What the use cases of agent sessions work with. */
export type SessionPorts = Pick<
  Ports,
  'store' | 'figures' | 'configuration' | 'telephonyOf' | 'notifications' | 'audit' | 'clock' | 'log'
> & {
  readonly bus: Pick<EventBus, 'publish'>
  readonly agentRecordCache: AgentRecordCache
  readonly signIns: SignIns
  /** Seals the passwords of agents in the store. */
  readonly sessionBox: SecretBox
  /** The schemas of the configuration's sections; they mark where secrets are sent. */
  readonly schemas: SectionSchemas
}
