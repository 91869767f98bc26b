import type { EventBus } from '../../ports/event-bus.ts'
import type { EventOf } from '../../ports/event-catalogue.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { Notifications } from '../../ports/notifications.ts'
import { asService } from '../../ports/record-access.ts'
import type { Store } from '../../ports/store.ts'
import type { AgentActivity, AgentState } from '../../ports/agent-activity.ts'
import type { AgentStateStore } from './agent-state-store.ts'
import type { AgentCall } from './agent-presence.ts'
import type { CallStateStore } from './call-state-store.ts'
import { factsOf, type KnownCall, mergeFacts } from './call-facts.ts'
import type { ReceivedUpdate } from './webhook-inbox.ts'
import type { MissedCalls } from './missed-calls.ts'
import { agentTopic, callTopic, type UpdateCall } from './update-call.ts'
import type { AgentDirectory } from '../../ports/call-records.ts'
import type { ScheduledCallbacks } from './scheduled-callbacks.ts'
import type { AgentUpdate, CallUpdate } from '../../ports/telephony-webhooks.ts'

export type TrackDeps = {
  readonly note: UpdateCall
  readonly book: CallStateStore
  readonly agentStates: AgentStateStore
  readonly agents: AgentDirectory
  readonly missed: MissedCalls
  readonly scheduledCallbacks: ScheduledCallbacks
  readonly bus: EventBus
  readonly notifications: Notifications
  readonly store: Store
  readonly now: () => number
}

/**
 * A disconnect without an answer may be heard before the answer: a live end counts as missed after this time, the provider's record at
 * once.
 */
const missedAfterMs = 5_000
const missedList = 'calls-perhaps-missed'

/** Works one callback: what it says of a call or an agent, and what follows. Every step may be made again. */
export function createTrack(deps: TrackDeps) {
  return async ({ update, ...received }: ReceivedUpdate): Promise<void> => {
    if (update.about === 'AGENT') await trackAgent(deps, received, update)
    else await trackCall(deps, received, update)
  }
}

type Received = Omit<ReceivedUpdate, 'update'>

async function trackCall(deps: TrackDeps, { workspaceId, provider, receivedAt }: Received, update: CallUpdate): Promise<void> {
  const { ucid, source } = update
  const isRecord = source === 'RECORD'
  const facts = factsOf({ ...update.facts, provider }, { source, receivedAt })
  const automatic = factsOf({ disposition: update.automaticDisposition }, { source: 'AUTOMATIC', receivedAt })
  const { after: call } = await deps.note(workspaceId, ucid, mergeFacts(facts, automatic))
  await trackAgentOf(deps, workspaceId, call)
  if (call.phase === 'MISSED' && call.direction === 'INBOUND') await perhapsMissed(deps, workspaceId, { call, isRecord })
  if (call.phase === 'COMPLETED') await deps.missed.remove(workspaceId, ucid)
  if (call.direction === 'OUTBOUND' && call.answeredAt !== null && call.phoneNumber !== null) {
    await deps.missed.calledBack(workspaceId, { phoneNumber: call.phoneNumber, ucid, at: call.answeredAt })
    await deps.scheduledCallbacks.keep(workspaceId, call.phoneNumber)
  }
  // The agent may have recorded the outcome at the provider's own desk: then the record is the first that we hear of it.
  if (call.phase === 'COMPLETED' && isRecord && call.disposition !== null) {
    await deps.bus.publish(completedEvent(workspaceId, call, deps.now()))
  }
}

type Ending = { readonly call: KnownCall; readonly isRecord: boolean }

async function perhapsMissed(deps: TrackDeps, workspaceId: string, { call, isRecord }: Ending): Promise<void> {
  if (isRecord) await announceMissed(deps, workspaceId, call)
  else await deps.store.sortedAdd(missedList, JSON.stringify([workspaceId, call.ucid]), deps.now() + missedAfterMs)
}

/** Announces the live ends of which no answer was heard meanwhile. Answers how many were missed. */
export function createSettleMissedCalls(deps: TrackDeps) {
  return async (): Promise<number> => {
    const due = await deps.store.sortedRange(missedList, { max: deps.now(), limit: 200 })
    let announced = 0
    for (const { member } of due) {
      const [workspaceId = '', ucid = ''] = placeOf(member)
      const call = await deps.book.read(workspaceId, ucid)
      if (call?.phase === 'MISSED') {
        await announceMissed(deps, workspaceId, call)
        announced += 1
      }
      await deps.store.sortedRemove(missedList, member)
    }
    return announced
  }
}

function placeOf(member: string): readonly string[] {
  const place: unknown = JSON.parse(member)
  return Array.isArray(place) ? place.map(String) : []
}

async function announceMissed({ missed, bus, now }: TrackDeps, workspaceId: string, call: KnownCall): Promise<void> {
  const { ucid, phoneNumber, did, campaignName, leadId } = call
  const at = call.endedAt ?? call.startedAt ?? isoMoment(now())
  await missed.add(workspaceId, { ucid, phoneNumber, did, campaignName, leadId, at })
  await bus.publish({
    id: derivedId('call.missed', workspaceId, ucid),
    type: 'call.missed',
    version: 1,
    workspaceId,
    occurredAt: at,
    ucid,
    callId: derivedId('call', workspaceId, ucid),
    leadId,
  })
}

function completedEvent(workspaceId: string, call: KnownCall, now: number): EventOf<'call.completed'> {
  return {
    id: derivedId('call.completed', workspaceId, call.ucid),
    type: 'call.completed',
    version: 1,
    workspaceId,
    occurredAt: call.endedAt ?? isoMoment(now),
    ucid: call.ucid,
    callId: derivedId('call', workspaceId, call.ucid),
    leadId: call.leadId,
    agentId: call.agentRecordId ?? call.agentId,
    memberId: null,
    disposition: call.disposition,
  }
}

async function trackAgent(deps: TrackDeps, { workspaceId, receivedAt }: Received, update: AgentUpdate): Promise<void> {
  const { agentId, state, reason, at } = update
  const { before, now, callBefore } = await deps.agentStates.add(workspaceId, agentId, { state, reason, since: at, receivedAt })
  if (callBefore && isFreed(callBefore, { state, at })) await noteWrapUpEnd(deps, workspaceId, { ucid: callBefore.ucid, at, receivedAt })
  // What the agent does by now, or did already, has been told.
  const isOld = now.since !== at || now.state !== state
  const isSame = before?.state === state && before.reason === reason && before.since !== at
  if (!isOld && !isSame) await tellState(deps, workspaceId, { agentId, activity: now })
}

/** The end of a call tells of its agent too, where the provider's own news of the agent were lost or taken for repetitions. */
async function trackAgentOf(deps: TrackDeps, workspaceId: string, call: KnownCall): Promise<void> {
  const { ucid, agentId, startedAt, endedAt, phase } = call
  if (agentId === null || startedAt === null) return
  const standing = await deps.agentStates.addCall(workspaceId, agentId, { ucid, startedAt, endedAt, answered: phase === 'COMPLETED' })
  if (!standing) return
  if (standing.byCall) await tellState(deps, workspaceId, { agentId, activity: standing.activity })
}

/** Whether the agent is free again after this call, whose end may still be to come. */
function isFreed({ endedAt }: AgentCall, { state, at }: { state: AgentState; at: string }): boolean {
  return state !== 'ON_CALL' && state !== 'WRAP_UP' && (endedAt === null || at >= endedAt)
}

type WrapUpEnd = { readonly ucid: string; readonly at: string; readonly receivedAt: number }

/** For our own counts; the platform's record has no place for it. */
async function noteWrapUpEnd({ book, notifications }: TrackDeps, workspaceId: string, { ucid, at, receivedAt }: WrapUpEnd): Promise<void> {
  await book.add(workspaceId, ucid, factsOf({ wrapUpEndedAt: at }, { source: 'LIVE', receivedAt }))
  await notifications.publish({ topic: callTopic, workspaceId, payload: ucid })
}

type Told = { readonly agentId: string; readonly activity: AgentActivity }

async function tellState(deps: TrackDeps, workspaceId: string, { agentId, activity: { state, since } }: Told): Promise<void> {
  await deps.notifications.publish({ topic: agentTopic, workspaceId, payload: agentId })
  await deps.bus.publish({
    id: derivedId('agent.state', workspaceId, agentId, since, state),
    type: 'agent.state',
    version: 1,
    workspaceId,
    occurredAt: since,
    agentId: await recordIdOf(deps, workspaceId, agentId),
    state,
  })
}

/** The agent's record where the platform can be asked now; else the agent's name at the provider. */
async function recordIdOf({ agents }: TrackDeps, workspaceId: string, agentId: string): Promise<string> {
  const entry = await agents.recordOf(asService(workspaceId, 'CALLBACKS'), agentId).catch(() => null)
  return entry?.id ?? agentId
}
