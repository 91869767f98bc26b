import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { WithFallback } from '../kernel/with-fallback.ts'
import type { AgentRecords } from './agents.ts'
import type { AlertAddress, AlertReceiver } from './alert-receiver.ts'
import type { Audit } from './audit.ts'
import type { AgentDirectory, CallRecords, LeadAgenda, LeadRecords } from './call-records.ts'
import type { CallbackTasks } from './callback-tasks.ts'
import type { Configuration } from './configuration/configuration.ts'
import type { PlatformSection } from './configuration/platform.ts'
import type { DataModel } from './data-model.ts'
import type { DoctorDirectory, DoctorRecords } from './doctors.ts'
import type { DocumentStore } from './documents.ts'
import type { EventBus } from './event-bus.ts'
import type { Figures } from './figures.ts'
import type { Identity } from './identity.ts'
import type { InsightRecords, LeadActivityRecords } from './insight-records.ts'
import type { LanguageModel } from './language-model.ts'
import type { LeadNotes, NewLeads } from './lead-notes.ts'
import type { MemberDirectory, TeamAgents } from './members.ts'
import type { Notifications } from './notifications.ts'
import type { Outbox } from './outbox.ts'
import type { OutboundTelephony } from './outbound-telephony.ts'
import type { Store } from './store.ts'
import type { TranscriptIndex } from './transcript-index.ts'
import type { TelephonyWebhooks } from './telephony-webhooks.ts'
import type { Telephony } from './telephony.ts'
import type { WorkspaceFacts } from './workspace-facts.ts'
import type { Workspaces } from './workspaces.ts'

/**
 * Everything that a use case may need from outside. Wiring builds one; a use case takes it as its first argument and names what it uses:
 * `ports: Pick<Ports, 'store' | 'clock'>`. What depends on a workspace is a function of its id, asked at the time of use.
 */
export type Ports = {
  readonly clock: Clock
  readonly log: Log
  readonly figures: Figures
  readonly store: Store
  /** For reads and writes of the store that a request can do without. */
  readonly withFallback: WithFallback
  readonly documents: DocumentStore
  readonly notifications: Notifications
  readonly audit: Audit
  readonly transcriptIndex: TranscriptIndex
  readonly bus: EventBus
  readonly outbox: Outbox

  readonly configuration: Configuration
  /** The configuration as it was last read, for what must go on while the store is away. */
  readonly lastKnownConfiguration: Configuration
  /** The platform roles that the settings name, for workspaces whose configuration names none. */
  readonly installedRoles: PlatformSection['roles']

  readonly identity: Identity
  readonly workspaces: Workspaces
  readonly workspaceFacts: WorkspaceFacts
  readonly dataModel: DataModel
  readonly members: MemberDirectory
  readonly teamAgents: TeamAgents
  /** The agent record of a member. */
  readonly agentRecords: AgentRecords
  /** Agent records by the agent's id at the provider. */
  readonly agentDirectory: AgentDirectory
  readonly leadRecords: LeadRecords
  readonly newLeads: NewLeads
  readonly leadNotes: LeadNotes
  readonly leadAgenda: LeadAgenda
  readonly callbackTasks: CallbackTasks
  readonly leadActivity: LeadActivityRecords
  readonly callRecords: CallRecords
  readonly insightRecords: InsightRecords
  readonly doctorRecords: DoctorRecords
  readonly doctorDirectory: DoctorDirectory

  readonly telephonyOf: (workspaceId: string) => Promise<Telephony>
  /** Null if the workspace has no second provider. */
  readonly outboundTelephonyOf: (workspaceId: string) => Promise<OutboundTelephony | null>
  readonly telephonyWebhooksOf: (target: { readonly workspaceId: string; readonly provider: string }) => Promise<TelephonyWebhooks>
  readonly alertReceiver: (address: AlertAddress) => AlertReceiver
  readonly languageModelOf: (workspaceId: string) => Promise<LanguageModel>
}
