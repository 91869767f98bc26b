import type { PublicAddress } from '../../../kernel/public-address.ts'
import type { SingleFlight } from '../../../kernel/single-flight.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { Principals } from '../../auth/principals.ts'
import type { SessionPorts } from '../../sessions/session-ports.ts'
import type { KnownCall } from './call-facts.ts'
import type { RecordRetries } from './record-queue.ts'
import type { SecretBox } from '../../../kernel/secrets.ts'
import type { WebhookInbox } from '../webhook-store/webhook-inbox.ts'
import type { WebhookLog } from '../webhook-store/webhook-log.ts'

/** What the use cases of calls need from outside. */
export type CallPorts = Pick<
  Ports,
  | 'agentDirectory'
  | 'audit'
  | 'bus'
  | 'callbackTasks'
  | 'callRecords'
  | 'clock'
  | 'configuration'
  | 'figures'
  | 'languageModelOf'
  | 'leadActivity'
  | 'leadAgenda'
  | 'leadRecords'
  | 'log'
  | 'members'
  | 'newLeads'
  | 'notifications'
  | 'outboundTelephonyOf'
  | 'store'
  | 'teamAgents'
  | 'telephonyOf'
  | 'telephonyWebhooksOf'
  | 'workspaces'
> &
  Pick<SessionPorts, 'agentRecordCache' | 'schemas' | 'sessionBox'> & {
    readonly principals: Pick<Principals, 'resolve' | 'follow'>
    readonly webhookInbox: WebhookInbox
    readonly webhookLog: WebhookLog
    /** Seals what failed webhooks reported. */
    readonly webhookBox: SecretBox
    readonly recordRetries: RecordRetries
    /** Reads the live calls of a workspace for all streams that begin, or have missed notifications, at the same time. */
    readonly liveCallReads: SingleFlight<readonly KnownCall[]>
    /** Ids of the telephony providers that send webhooks. */
    readonly webhookProviders: readonly string[]
    /** Where providers reach this service. If they cannot, there are no live events, and the second provider reports nothing about its calls. */
    readonly publicAddress: PublicAddress
    /** 32 bytes, from which the keys of the live events addresses are computed. */
    readonly liveEventsSecret: Uint8Array
    /** The subdomains of the workspaces. */
    readonly servedWorkspaces: { readonly workspaces: readonly string[] }
  }
