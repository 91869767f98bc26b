import { type InsightPorts, writeInsight } from '../features/insights/write-insight.ts'
import { renewInsight } from '../features/insights/renew-insight.ts'
import { queueRecording } from '../features/recordings/automatic/queue-recording.ts'
import { noteCompletedCall } from '../features/recordings/search/note-disposition.ts'
import type { AuthPorts } from '../features/auth/auth-ports.ts'
import type { CallPorts } from '../features/calls/state/call-ports.ts'
import { createReconciliation } from '../features/calls/reconciliation/reconciliation.ts'
import { createRecordRetries } from '../features/calls/records/record-retries.ts'
import { trackUpdate } from '../features/calls/tracking/track-update.ts'
import { createWebhookInbox } from '../features/calls/webhook-store/webhook-inbox.ts'
import { createWebhookLog } from '../features/calls/webhook-store/webhook-log.ts'
import { writeAlone } from '../features/calls/records/write-alone.ts'
import { createNextFlight } from '../kernel/next-flight.ts'
import { createPublicAddress } from '../kernel/public-address.ts'
import type { Ports } from '../ports/ports.ts'
import type { Settings } from '../settings/settings.ts'
import type { WiredPorts } from './ports.ts'

export function callPorts(settings: Settings, ports: AuthPorts & WiredPorts): CallPorts {
  const sealing = { ...ports, webhookBox: ports.boxFor('failed webhooks') }
  const logging = { ...sealing, webhookLog: createWebhookLog(sealing) }
  return {
    ...logging,
    webhookInbox: createWebhookInbox(logging, (received) => trackUpdate(ports, received)),
    liveCallReads: createNextFlight(),
    recordRetries: createRecordRetries(ports, (input) => writeAlone(ports, input)),
    webhookProviders: ports.telephonyProviders.map(({ id }) => id),
    publicAddress: createPublicAddress(settings.http.publicUrl),
    liveEventsSecret: ports.keyFor('live events'),
  }
}

export function callJobs(ports: CallPorts) {
  return [{ name: 'call reconciliation', everyMs: 1_000, ...createReconciliation(ports) }]
}

/** Subscribes our own consumers to the bus; also in a process that only consumes. */
export function consumeEvents(ports: InsightPorts & Pick<Ports, 'bus' | 'configuration' | 'transcriptIndex'>): void {
  ports.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: (event, signal) => writeInsight(ports, event, signal) })
  ports.bus.subscribe({ name: 'dispositions', topic: 'call.completed', handle: (event) => noteCompletedCall(ports, event) })
  ports.bus.subscribe({ name: 'recordings', topic: 'call.recorded', handle: (event) => queueRecording(ports, event) })
  ports.bus.subscribe({ name: 'recording-insights', topic: 'call.analysed', handle: (event, signal) => renewInsight(ports, event, signal) })
}
