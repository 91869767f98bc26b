import type { Ports } from '../../../ports/ports.ts'
import { type AgentPresence, wrapUpEnds } from './agent-presence.ts'
import type { AgentKey } from './agent-state-store.ts'
import { keepNotes } from '../state/call-notes.ts'
import { readCall } from '../state/call-state-store.ts'
import { updateCall } from '../state/update-call.ts'

/** `moment`: the time of the report that changed what we know of the agent. */
type Change = { readonly presence: AgentPresence; readonly moment: string }

/**
 * Stores when the wrap-ups ended that a report may have changed: the report may be late, and may belong to an earlier call than it seemed.
 * Repeatable. Errors: STORE_UNAVAILABLE.
 */
export async function storeWrapUps(
  ports: Pick<Ports, 'clock' | 'notifications' | 'store'>,
  { workspaceId, agentId }: AgentKey,
  { presence, moment }: Change,
): Promise<void> {
  for (const { ucid, at } of wrapUpEnds(presence, moment)) {
    const call = await readCall(ports, { workspaceId, ucid })
    // The call may have another agent now.
    if (call?.agentId !== agentId || (at === null && call.wrapUpSeconds === null)) continue
    const wrapUpEndedAt = { value: at, source: 'LIVE', rank: presence.revision } as const
    const { after } = await updateCall(ports, { workspaceId, ucid }, { wrapUpEndedAt })
    await keepNotes(ports, workspaceId, after)
  }
}
