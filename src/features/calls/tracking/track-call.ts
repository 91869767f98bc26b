import type { CallUpdate } from '../../../ports/telephony-webhooks.ts'
import { currentActivity } from '../agent-state/agent-presence.ts'
import { addAgentCall } from '../agent-state/agent-state-store.ts'
import type { KnownCall } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { readCall } from '../state/call-state-store.ts'
import { factsOfUpdate } from '../state/facts-of-update.ts'
import { confirmLater, publishMissedCall } from '../missed-calls/confirm-missed-calls.ts'
import { countTry, markCalledBack, removeMissedCall } from '../missed-calls/missed-call-store.ts'
import { publishEndedCall } from '../outcomes/publish-ended-call.ts'
import { storeWrapUps } from '../agent-state/store-wrap-ups.ts'
import { publishTrackedState, type UpdateOrigin } from './track-agent.ts'
import { deferEnd, queueUnknownCaller } from '../unknown-callers/queue-unknown-caller.ts'
import { keepNotes } from '../state/call-notes.ts'
import { numberToCall } from '../state/number-to-call.ts'
import { updateCall } from '../state/update-call.ts'

export type TrackCallPorts = Pick<CallPorts, 'agentDirectory' | 'bus' | 'clock' | 'configuration' | 'notifications' | 'store'>

/** Processes a call update. Repeatable. Errors: STORE_UNAVAILABLE, the bus's. */
export async function trackCall(ports: TrackCallPorts, origin: UpdateOrigin, update: CallUpdate): Promise<void> {
  const { workspaceId, provider, receivedAt } = origin
  const { ucid, source } = update
  const isRecord = source === 'RECORD'
  const facts = factsOfUpdate({ ...update, facts: { ...update.facts, provider } }, receivedAt)
  const { after: call } = await updateCall(ports, { workspaceId, ucid }, facts)
  await keepNotes(ports, workspaceId, call)
  await trackAgentOfCall(ports, workspaceId, call)
  const waitsForLead = await queueUnknownCaller(ports, workspaceId, call)
  if (call.phase === 'MISSED' && call.direction === 'INBOUND') {
    // A record without a status says no more than a live end does.
    const isCertain = isRecord && update.facts.answered === false
    await (isCertain && !waitsForLead ? publishMissedCall(ports, workspaceId, call) : confirmLater(ports, { workspaceId, ucid }))
  }
  if (call.phase === 'COMPLETED') await removeMissedCall(ports, { workspaceId, ucid })
  await updateWorklist(ports, workspaceId, { call, mayBeAgentAlone: update.mayBeAgentAlone === true })
  if (call.phase === 'COMPLETED' && isRecord) await reportEnd(ports, workspaceId, { call, waitsForLead })
}

type EndedCall = { readonly call: KnownCall; readonly waitsForLead: boolean }

async function reportEnd(ports: TrackCallPorts, workspaceId: string, { call, waitsForLead }: EndedCall): Promise<void> {
  const key = { workspaceId, ucid: call.ucid }
  if (!waitsForLead) return publishEndedCall(ports, workspaceId, call)
  if (!(await deferEnd(ports, key))) await publishEndedCall(ports, workspaceId, (await readCall(ports, key)) ?? call)
}

type WorklistCall = { readonly call: KnownCall; readonly mayBeAgentAlone: boolean }

/** An answered call reaches the person, no matter who called. An outbound call that ends without an answer is a try. */
async function updateWorklist(ports: TrackCallPorts, workspaceId: string, { call, mayBeAgentAlone }: WorklistCall): Promise<void> {
  const { ucid, direction, phase, answeredAt, endedAt, agentRecordId } = call
  const phoneNumber = numberToCall(call)
  if (phoneNumber === null) return
  const isOutbound = direction === 'OUTBOUND'
  if (answeredAt !== null && !mayBeAgentAlone) {
    await markCalledBack(ports, workspaceId, { phoneNumber, ucid, at: answeredAt, isOutbound, agentId: agentRecordId })
  }
  if (isOutbound && phase === 'MISSED' && endedAt !== null) await countTry(ports, workspaceId, { phoneNumber, ucid, at: endedAt })
}

/** The agent's end of a call changes their state, even if the provider's own reports about the agent are lost or taken for repetitions. */
export async function trackAgentOfCall(
  ports: Pick<CallPorts, 'agentDirectory' | 'bus' | 'clock' | 'notifications' | 'store'>,
  workspaceId: string,
  call: KnownCall,
): Promise<void> {
  const { ucid, agentId, startedAt, answeredAt } = call
  const endedAt = call.transferredAt ?? call.endedAt
  if (agentId === null || startedAt === null) return
  const agent = { workspaceId, agentId }
  const presence = await addAgentCall(ports, agent, {
    ucid,
    startedAt,
    answeredAt,
    endedAt,
    ...(call.isEndGuessed && call.transferredAt === null ? { isEndGuessed: true } : {}),
  })
  await storeWrapUps(ports, agent, { presence, moment: endedAt ?? answeredAt ?? startedAt })
  const current = currentActivity(presence)
  if (current?.impliedByCall) await publishTrackedState(ports, agent, current.activity)
}
