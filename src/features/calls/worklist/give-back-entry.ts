import type { Actor } from '../../../access/actor.ts'
import { sendNotice } from '../../sessions/agent-notices.ts'
import type { CallPorts } from '../call-ports.ts'
import { auditEntry, formerAgent } from './audit-entry.ts'
import { assertFree } from './claim-entry.ts'
import { heldClaim, withoutClaim, type WorklistEntry } from './entry.ts'
import { changeCheckedEntry } from './entry-store.ts'

/**
 * Ends a claim before its time, so that others can call the person: the actor's own, or for a manager anyone's: that is audited, and the agent gets
 * a notice. Does nothing if nobody has the person. Errors: NOT_FOUND, ALREADY_CLAIMED (another agent's), WRONG_STATE (the agent is on the phone with the person).
 */
export async function giveBackEntry(
  ports: Pick<CallPorts, 'audit' | 'clock' | 'log' | 'notifications' | 'store'>,
  actor: Actor,
  { id, message = null }: { readonly id: string; readonly message?: string | null | undefined },
): Promise<WorklistEntry> {
  const { workspaceId, memberId, role } = actor.principal
  const key = { workspaceId, id }
  const { before, after, check } = await changeCheckedEntry(ports, key, (entry, current) => {
    if (role !== 'MANAGER') assertFree(entry, memberId, current)
    return withoutClaim(entry, current)
  })
  const former = before && heldClaim(before, check)
  if (former && former.memberId !== memberId) {
    // First: it never fails, and the agent gets it even if the audit log cannot be written.
    await sendNotice(ports, actor, { memberId: former.memberId, kind: 'CLAIM_ENDED', message, worklistEntryId: id })
    await auditEntry(ports, actor, {
      entry: after,
      action: 'worklist.claimEnded',
      details: { ...formerAgent(former), ...(message !== null && { message }) },
    })
  }
  return after
}
