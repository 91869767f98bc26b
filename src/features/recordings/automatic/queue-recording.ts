import type { EventOf } from '../../../ports/event-catalogue.ts'
import type { Ports } from '../../../ports/ports.ts'
import { readCall } from '../../calls/state/call-state-store.ts'
import { addWaiting } from './waiting-recordings.ts'

type QueueRecordingPorts = Pick<Ports, 'configuration' | 'store' | 'clock' | 'log'>

/**
 * The consumer of `call.recorded`: queues the recording if the workspace wants recordings analysed without a click. Repeatable.
 * Errors: STORE_UNAVAILABLE, NOT_CONFIGURED.
 */
export async function queueRecording(ports: QueueRecordingPorts, event: EventOf<'call.recorded'>): Promise<void> {
  const { workspaceId, ucid, callId } = event
  const { recordings } = await ports.configuration.read(workspaceId, 'ai')
  const call = recordings.automatic.enabled ? await readCall(ports, { workspaceId, ucid }) : null
  if (!call) return
  const { agentRecordId: agentId, talkSeconds } = call
  await addWaiting(ports, { workspaceId, callId }, { ucid, agentId, endedAt: Date.parse(event.occurredAt), seconds: talkSeconds ?? 0 })
}
