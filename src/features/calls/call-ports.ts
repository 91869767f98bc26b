import type { Ports } from '../../ports/ports.ts'
import type { Principals } from '../auth/principals.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import type { RecordRetries } from './record-retries.ts'
import type { WebhookInbox } from './webhook-inbox.ts'

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
> &
  Pick<SessionPorts, 'agentRecordCache' | 'sessionBox'> & {
    readonly principals: Pick<Principals, 'resolve'>
    readonly webhookInbox: WebhookInbox
    readonly recordRetries: RecordRetries
    /** Ids of the telephony providers that send webhooks. */
    readonly webhookProviders: readonly string[]
    /** Where providers reach this service; null if they cannot, so that the second provider reports nothing about its calls. */
    readonly publicUrl: string | null
  }
