import type { CallFacts } from '../../ports/call-facts.ts'
import type { Ports } from '../../ports/ports.ts'
import type { KnownCall } from './call-facts.ts'
import { addCallFacts, type CallChange, type CallKey } from './call-state-store.ts'
import { queueRecord } from './record-queue.ts'

/** Subscribers receive the call's UCID. */
export const callTopic = 'call.changed'
/** Subscribers receive the agent's id at the provider. */
export const agentTopic = 'agent.changed'

/** Adds facts to what we know of a call, queues its platform record, and notifies live streams. Repeatable. Errors: STORE_UNAVAILABLE. */
export async function updateCall(
  ports: Pick<Ports, 'store' | 'clock' | 'notifications'>,
  call: CallKey,
  facts: CallFacts,
): Promise<CallChange> {
  const change = await addCallFacts(ports, call, facts)
  await queueRecord(ports, call)
  await publishCallChange(ports, call.workspaceId, change.after)
  return change
}

/** Notifies the live streams that show the call: its agent's and those of managers. */
export async function publishCallChange(
  { notifications }: Pick<Ports, 'notifications'>,
  workspaceId: string,
  { ucid, agentId, agentRecordId }: Pick<KnownCall, 'ucid' | 'agentId' | 'agentRecordId'>,
): Promise<void> {
  const audience = [agentId, agentRecordId].filter((id) => id !== null)
  await notifications.publish({ topic: callTopic, workspaceId, payload: ucid, audience })
}
