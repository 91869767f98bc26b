import type { CallFacts } from '../../../ports/call-facts.ts'
import type { Ports } from '../../../ports/ports.ts'
import { readLock } from '../../sessions/session-lock.ts'
import { type AgentPresence, wrapUpEnds } from './agent-presence.ts'
import type { AgentKey } from './agent-state-store.ts'
import { readCallNotes } from '../state/call-notes.ts'
import { factsOf, type KnownCall } from '../state/call-facts.ts'
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
    const notes = at === null ? {} : await notesWithoutOutcome(ports, workspaceId, call)
    await updateCall(ports, { workspaceId, ucid }, { ...notes, wrapUpEndedAt: { value: at, source: 'LIVE', rank: presence.revision } })
  }
}

/** What the agent has typed about a call that got no outcome in time: the call's record has it, and an outcome that comes later replaces it. */
async function notesWithoutOutcome(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  { ucid, agentId, disposition, notes: known }: KnownCall,
): Promise<CallFacts> {
  if (agentId === null || disposition !== null || known !== null) return {}
  const session = await readLock(ports.store, { workspaceId, providerAgentId: agentId })
  const typed = session && (await readCallNotes(ports, { workspaceId, memberId: session.lock.memberId }, ucid))
  return typed && typed.notes !== '' ? factsOf({ notes: typed.notes }, { source: 'CORRECTED', receivedAt: Date.parse(typed.savedAt) }) : {}
}
