import type { Notices } from '../../ports/notifications.ts'
import type { CallBook, CallChange } from './call-state-store.ts'
import type { CallFacts } from '../../ports/call-facts.ts'
import type { RecordQueue } from './record-queue.ts'

/** Subscribers get the call's UCID. */
export const callTopic = 'call.changed'
/** Subscribers get the agent's name at the provider. */
export const agentTopic = 'agent.changed'

export type NoteCallDeps = { readonly book: CallBook; readonly queue: RecordQueue; readonly notices: Notices }

/** Adds what was learnt of a call: to what we know, to what the platform's record lacks, and to what others see live. Repeatable. */
export type NoteCall = (workspaceId: string, ucid: string, facts: CallFacts) => Promise<CallChange>

export function createNoteCall({ book, queue, notices }: NoteCallDeps): NoteCall {
  return async (workspaceId, ucid, facts) => {
    const change = await book.add(workspaceId, ucid, facts)
    await queue.mark(workspaceId, ucid)
    await notices.publish({ topic: callTopic, workspaceId, payload: ucid })
    return change
  }
}
