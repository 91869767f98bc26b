import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { derivedId } from '../../../kernel/ids.ts'
import type { EventOf } from '../../../ports/event-catalogue.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { KnownCall } from '../state/call-facts.ts'
import { readIntent } from './disposition-intents.ts'
import { publishRecordedTransfer } from './publish-transfer.ts'

/**
 * Publishes that the provider's record of an answered call was received: `call.completed` if it has a disposition, which the agent may have
 * recorded in the provider's own user interface, `call.recorded` if it has a recording, and `call.transferred` if it was transferred.
 * Repeatable. Errors: OVERLOADED (its disposition is being recorded: repeat it later), STORE_UNAVAILABLE, the bus's.
 */
export async function publishEndedCall(
  ports: Pick<Ports, 'bus' | 'clock' | 'notifications' | 'store'>,
  workspaceId: string,
  call: KnownCall,
): Promise<void> {
  const { bus, clock } = ports
  await publishRecordedTransfer(ports, workspaceId, call)
  if (call.recordingUrl !== null) await bus.publish(recordedEvent(workspaceId, call, clock.now()))
  if (call.disposition !== null && !(await isPublishedByAgent(ports, workspaceId, call))) {
    await bus.publish(completedEvent(workspaceId, call, clock.now()))
  }
}

/** The event of an agent's disposition says more. One that is still being recorded may fail, so the record waits for it. */
async function isPublishedByAgent({ store }: Pick<Ports, 'store'>, workspaceId: string, { ucid }: KnownCall): Promise<boolean> {
  const held = await readIntent({ store }, { workspaceId, ucid })
  if (held && held.intent.stage !== 'PUBLISHED') {
    throw new AppError('OVERLOADED', { detail: "The call's disposition is being recorded", data: { retryAfterSeconds: 2 } })
  }
  return held !== null
}

function recordedEvent(workspaceId: string, call: KnownCall, now: number): EventOf<'call.recorded'> {
  return { id: derivedId('call.recorded', workspaceId, call.ucid), type: 'call.recorded', version: 1, ...endedCall(workspaceId, call, now) }
}

function completedEvent(workspaceId: string, call: KnownCall, now: number): EventOf<'call.completed'> {
  return {
    id: derivedId('call.completed', workspaceId, call.ucid),
    type: 'call.completed',
    version: 1.1,
    ...endedCall(workspaceId, call, now),
    memberId: null,
    disposition: call.disposition,
    supersedes: null,
  }
}

function endedCall(workspaceId: string, call: KnownCall, now: number) {
  const { ucid, leadId } = call
  const callId = derivedId('call', workspaceId, ucid)
  return { workspaceId, occurredAt: call.endedAt ?? isoMoment(now), ucid, callId, leadId, agentId: call.agentRecordId ?? call.agentId }
}
