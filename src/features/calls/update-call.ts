import type { Notifications } from '../../ports/notifications.ts'
import type { CallStateStore, CallChange } from './call-state-store.ts'
import type { CallFacts } from '../../ports/call-facts.ts'
import type { RecordQueue } from './record-queue.ts'

/** Subscribers get the call's UCID. */
export const callTopic = 'call.changed'
/** Subscribers get the agent's name at the provider. */
export const agentTopic = 'agent.changed'

export type NoteCallDeps = { readonly book: CallStateStore; readonly queue: RecordQueue; readonly notifications: Notifications }

/** Adds what was learnt of a call: to what we know, to what the platform's record lacks, and to what others see live. Repeatable. */
export type UpdateCall = (workspaceId: string, ucid: string, facts: CallFacts) => Promise<CallChange>

export function createUpdateCall({ book, queue, notifications }: NoteCallDeps): UpdateCall {
  return async (workspaceId, ucid, facts) => {
    const change = await book.add(workspaceId, ucid, facts)
    await queue.mark(workspaceId, ucid)
    await notifications.publish({ topic: callTopic, workspaceId, payload: ucid })
    return change
  }
}
