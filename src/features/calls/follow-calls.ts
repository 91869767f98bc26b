import type { Actor } from '../../access/actor.ts'
import type { WatchCaller } from '../auth/watch-actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { AgentActivity } from '../../ports/agent-activity.ts'
import type { AgentStateStore } from './agent-state-store.ts'
import type { CallStateStore } from './call-state-store.ts'
import type { KnownCall } from './call-facts.ts'
import { createLiveStream } from './live-stream.ts'
import { agentTopic, callTopic } from './update-call.ts'
import type { CallAgent, CallAgentOf } from './call-agent.ts'

export type LiveDeps = {
  readonly book: CallStateStore
  readonly agentStates: AgentStateStore
  readonly notifications: Notifications
  readonly agentOf: CallAgentOf
  readonly watchCaller: WatchCaller
}

export type LiveCallEvent = { readonly kind: 'SNAPSHOT' | 'CHANGED'; readonly call: KnownCall }
export type LiveAgent = { readonly providerAgentId: string; readonly activity: AgentActivity }

/** Calls as they go: an agent's own, a manager's workspace; those that go on now come first. Ends with the caller's token. */
export function createCallEvents({ book, notifications, agentOf, watchCaller }: LiveDeps) {
  return async (caller: Actor, signal: AbortSignal): Promise<AsyncIterable<LiveCallEvent>> => {
    const { workspaceId } = caller.principal
    const mine = await scopeOf(caller, agentOf)
    const isMine = (call: KnownCall | null): call is KnownCall =>
      call !== null && (mine === 'ALL' || call.agentId === mine.providerAgentId || call.agentRecordId === mine.id)
    const stream = createLiveStream({ notifications, topic: callTopic, workspaceId, end: { signal, allowed: watchCaller(caller) } })
    const live = async (): Promise<readonly string[]> => (await book.live(workspaceId)).filter(isMine).map(({ ucid }) => ucid)
    return (async function* (): AsyncGenerator<LiveCallEvent> {
      for await (const { key: ucid, isFirst } of stream(live)) {
        const call = await book.read(workspaceId, ucid)
        if (isMine(call)) yield { kind: isFirst ? 'SNAPSHOT' : 'CHANGED', call }
      }
    })()
  }
}

/** Where agents stand: an agent's own, a manager's workspace; as it is now comes first. Ends with the caller's token. */
export function createAgentStates({ agentStates, notifications, agentOf, watchCaller }: LiveDeps) {
  return async (caller: Actor, signal: AbortSignal): Promise<AsyncIterable<LiveAgent>> => {
    const { workspaceId } = caller.principal
    const mine = await scopeOf(caller, agentOf)
    const stream = createLiveStream({ notifications, topic: agentTopic, workspaceId, end: { signal, allowed: watchCaller(caller) } })
    const known = async (): Promise<readonly string[]> =>
      mine === 'ALL' ? [...(await agentStates.all(workspaceId)).keys()] : [mine.providerAgentId]
    return (async function* (): AsyncGenerator<LiveAgent> {
      for await (const { key: providerAgentId } of stream(known)) {
        if (mine !== 'ALL' && mine.providerAgentId !== providerAgentId) continue
        const activity = await agentStates.read(workspaceId, providerAgentId)
        if (activity) yield { providerAgentId, activity }
      }
    })()
  }
}

/** Whose news the caller may see. */
async function scopeOf(caller: Actor, agentOf: CallAgentOf): Promise<CallAgent | 'ALL'> {
  if (caller.principal.role === 'MANAGER') return 'ALL'
  const agent = await agentOf(caller)
  if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only agents and managers see calls as they go' })
  return agent
}
