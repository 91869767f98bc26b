import type { CallFacts } from '../../../ports/call-facts.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { KnownCall } from './call-facts.ts'
import { addCallFacts, type CallChange, type CallKey } from './call-state-store.ts'
import { queueRecord } from './record-queue.ts'

/** Subscribers receive the call's UCID. */
export const callTopic = 'call.changed'
/** Subscribers receive the agent's id at the provider. */
export const agentTopic = 'agent.changed'

/** Adds facts to what we know of a call, queues its platform record, and notifies live streams, also those of an agent who lost it. Repeatable. Errors: STORE_UNAVAILABLE. */
export async function updateCall(
  ports: Pick<Ports, 'store' | 'clock' | 'notifications'>,
  call: CallKey,
  facts: CallFacts,
): Promise<CallChange> {
  const change = await addCallFacts(ports, call, facts)
  await queueRecord(ports, call)
  const { before, after } = change
  const former = before === null ? [] : audienceOf(before)
  const audience = [...new Set([...audienceOf(after), ...former])]
  await ports.notifications.publish({ topic: callTopic, workspaceId: call.workspaceId, payload: call.ucid, audience })
  return change
}

/** Notifies the live streams that show the call: its agent's and those of managers. */
export async function publishCallChange(
  { notifications }: Pick<Ports, 'notifications'>,
  workspaceId: string,
  call: Agents & Pick<KnownCall, 'ucid'>,
): Promise<void> {
  await notifications.publish({ topic: callTopic, workspaceId, payload: call.ucid, audience: audienceOf(call) })
}

type Agents = Pick<KnownCall, 'agentId' | 'agentRecordId'>

function audienceOf({ agentId, agentRecordId }: Agents): readonly string[] {
  return [agentId, agentRecordId].filter((id) => id !== null)
}
