import { type InsightPorts, writeInsight } from '../features/insights/write-insight.ts'
import { renewInsight } from '../features/insights/renew-insight.ts'
import { queueRecording } from '../features/recordings/automatic/queue-recording.ts'
import { noteCompletedCall } from '../features/recordings/search/note-disposition.ts'
import type { AuthPorts } from '../features/auth/auth-ports.ts'
import type { CallPorts } from '../features/calls/call-ports.ts'
import { checkOutboundCalls } from '../features/calls/check-outbound-calls.ts'
import { createReconciliation } from '../features/calls/reconciliation/reconciliation.ts'
import { confirmMissedCalls } from '../features/calls/confirm-missed-calls.ts'
import { createRecordRetries } from '../features/calls/record-retries.ts'
import { retryDispositions } from '../features/calls/retry-dispositions.ts'
import { trackUpdate } from '../features/calls/track-update.ts'
import { createLeadsOfCallers } from '../features/calls/unknown-callers/create-leads-of-callers.ts'
import { createWebhookInbox } from '../features/calls/webhook-inbox.ts'
import { createWebhookLog } from '../features/calls/webhook-log/webhook-log.ts'
import { writeAlone } from '../features/calls/write-alone.ts'
import { writeTasks } from '../features/calls/worklist/write-tasks.ts'
import { writeRecords } from '../features/calls/write-records.ts'
import { createNextFlight } from '../kernel/next-flight.ts'
import { createPublicAddress } from '../kernel/public-address.ts'
import type { Ports } from '../ports/ports.ts'
import { outboundProviders } from '../providers/outbound-telephony/registry.ts'
import { telephonyProviders } from '../providers/telephony/registry.ts'
import type { Settings } from '../settings/settings.ts'
import type { Infrastructure } from './infrastructure.ts'

export function callPorts(settings: Settings, ports: AuthPorts & Ports & Pick<Infrastructure, 'boxFor' | 'keyFor'>): CallPorts {
  const sealing = { ...ports, webhookBox: ports.boxFor('failed webhooks') }
  const logging = { ...sealing, webhookLog: createWebhookLog(sealing) }
  return {
    ...logging,
    webhookInbox: createWebhookInbox(logging, (received) => trackUpdate(ports, received)),
    liveCallReads: createNextFlight(),
    recordRetries: createRecordRetries(ports, (input) => writeAlone(ports, input)),
    webhookProviders: [...telephonyProviders, ...outboundProviders].map(({ id }) => id),
    publicAddress: createPublicAddress(settings.http.publicUrl),
    liveEventsSecret: ports.keyFor('live events'),
  }
}

export function callJobs(ports: CallPorts) {
  return [
    { name: 'call reconciliation', everyMs: 1_000, ...createReconciliation(ports) },
    { name: 'dispositions', everyMs: 5_000, run: () => retryDispositions(ports) },
    { name: 'missed calls', everyMs: 1_000, run: () => confirmMissedCalls(ports) },
    { name: 'unknown callers', everyMs: 500, run: () => createLeadsOfCallers(ports) },
    { name: 'callback tasks', everyMs: 1_000, run: () => writeTasks(ports) },
    { name: 'outbound calls', everyMs: 5_000, run: () => checkOutboundCalls(ports) },
    { name: 'call records', everyMs: 500, run: () => writeRecords(ports) },
  ]
}

/** Subscribes our own consumers to the bus; also in a process that only consumes. */
export function consumeEvents(ports: InsightPorts & Pick<Ports, 'bus' | 'configuration' | 'transcriptIndex'>): void {
  ports.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: (event, signal) => writeInsight(ports, event, signal) })
  ports.bus.subscribe({ name: 'dispositions', topic: 'call.completed', handle: (event) => noteCompletedCall(ports, event) })
  ports.bus.subscribe({ name: 'recordings', topic: 'call.recorded', handle: (event) => queueRecording(ports, event) })
  ports.bus.subscribe({ name: 'recording-insights', topic: 'call.analysed', handle: (event, signal) => renewInsight(ports, event, signal) })
}
