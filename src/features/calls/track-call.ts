import { isoMoment } from '../../kernel/clock.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { EventOf } from '../../ports/event-catalogue.ts'
import type { CallUpdate } from '../../ports/telephony-webhooks.ts'
import { currentActivity } from './agent-presence.ts'
import { addAgentCall } from './agent-state-store.ts'
import { factsOf, type KnownCall, mergeFacts } from './call-facts.ts'
import type { CallPorts } from './call-ports.ts'
import { confirmLater, publishMissedCall } from './confirm-missed-calls.ts'
import { countTry, markCalledBack, removeMissedCall } from './missed-call-store.ts'
import { storeWrapUps } from './store-wrap-ups.ts'
import { publishTrackedState, type UpdateOrigin } from './track-agent.ts'
import { queueUnknownCaller } from './unknown-callers/queue-unknown-caller.ts'
import { updateCall } from './update-call.ts'

export type TrackCallPorts = Pick<CallPorts, 'agentDirectory' | 'bus' | 'clock' | 'configuration' | 'notifications' | 'store'>

/** Processes a call update. Repeatable. Errors: STORE_UNAVAILABLE, the bus's. */
export async function trackCall(ports: TrackCallPorts, origin: UpdateOrigin, update: CallUpdate): Promise<void> {
  const { workspaceId, provider, receivedAt } = origin
  const { ucid, source } = update
  const isRecord = source === 'RECORD'
  const facts = factsOf({ ...update.facts, provider }, { source, receivedAt })
  const automatic = factsOf({ disposition: update.automaticDisposition }, { source: 'AUTOMATIC', receivedAt })
  const { after: call } = await updateCall(ports, { workspaceId, ucid }, mergeFacts(facts, automatic))
  await trackAgentOfCall(ports, workspaceId, call)
  const waitsForLead = await queueUnknownCaller(ports, workspaceId, call)
  if (call.phase === 'MISSED' && call.direction === 'INBOUND') {
    await (isRecord && !waitsForLead ? publishMissedCall(ports, workspaceId, call) : confirmLater(ports, { workspaceId, ucid }))
  }
  if (call.phase === 'COMPLETED') await removeMissedCall(ports, { workspaceId, ucid })
  await updateWorklist(ports, workspaceId, { call, mayBeAgentAlone: update.mayBeAgentAlone === true })
  // The agent may have recorded the outcome in the provider's own user interface: then the record is our first report of it.
  if (call.phase === 'COMPLETED' && isRecord && call.disposition !== null) {
    await ports.bus.publish(completedEvent(workspaceId, call, ports.clock.now()))
  }
  if (call.phase === 'COMPLETED' && isRecord && call.recordingUrl !== null) {
    await ports.bus.publish(recordedEvent(workspaceId, call, ports.clock.now()))
  }
}

type WorklistCall = { readonly call: KnownCall; readonly mayBeAgentAlone: boolean }

/** An answered call reaches the person, whoever called whom. An outbound call that ends without an answer is a try. */
async function updateWorklist(ports: TrackCallPorts, workspaceId: string, { call, mayBeAgentAlone }: WorklistCall): Promise<void> {
  const { ucid, phoneNumber, direction, phase, answeredAt, endedAt, agentRecordId } = call
  if (phoneNumber === null) return
  const isOutbound = direction === 'OUTBOUND'
  if (answeredAt !== null && !mayBeAgentAlone) {
    await markCalledBack(ports, workspaceId, { phoneNumber, ucid, at: answeredAt, isOutbound, agentId: agentRecordId })
  }
  if (isOutbound && phase === 'MISSED' && endedAt !== null) await countTry(ports, workspaceId, { phoneNumber, ucid, at: endedAt })
}

/** The end of a call changes its agent's state, even if the provider's own reports about the agent are lost or taken for repetitions. */
async function trackAgentOfCall(ports: TrackCallPorts, workspaceId: string, call: KnownCall): Promise<void> {
  const { ucid, agentId, startedAt, answeredAt, endedAt } = call
  if (agentId === null || startedAt === null) return
  const agent = { workspaceId, agentId }
  const presence = await addAgentCall(ports, agent, { ucid, startedAt, answeredAt, endedAt })
  await storeWrapUps(ports, agent, { presence, moment: endedAt ?? answeredAt ?? startedAt })
  const current = currentActivity(presence)
  if (current?.impliedByCall) await publishTrackedState(ports, agent, current.activity)
}

function recordedEvent(workspaceId: string, call: KnownCall, now: number): EventOf<'call.recorded'> {
  return { id: derivedId('call.recorded', workspaceId, call.ucid), type: 'call.recorded', version: 1, ...endedCall(workspaceId, call, now) }
}

function completedEvent(workspaceId: string, call: KnownCall, now: number): EventOf<'call.completed'> {
  return {
    id: derivedId('call.completed', workspaceId, call.ucid),
    type: 'call.completed',
    version: 1,
    ...endedCall(workspaceId, call, now),
    memberId: null,
    disposition: call.disposition,
  }
}

function endedCall(workspaceId: string, call: KnownCall, now: number) {
  const { ucid, leadId } = call
  const callId = derivedId('call', workspaceId, ucid)
  return { workspaceId, occurredAt: call.endedAt ?? isoMoment(now), ucid, callId, leadId, agentId: call.agentRecordId ?? call.agentId }
}
