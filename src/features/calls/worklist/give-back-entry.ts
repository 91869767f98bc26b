import type { Actor } from '../../../access/actor.ts'
import { sendNotice } from '../../sessions/agent-notices.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { auditEntry, formerAgent } from './audit-entry.ts'
import { assertFree } from './claim-entry.ts'
import { heldClaim, withoutClaim, type WorklistEntry } from '../worklist-entries/entry.ts'
import { changeCheckedEntry, type CheckedChange } from '../worklist-entries/entry-store.ts'

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
  const formerOf = ({ before, check }: Pick<CheckedChange, 'before' | 'check'>) => {
    const held = heldClaim(before, check)
    return held && held.memberId !== memberId ? held : null
  }
  const change = await changeCheckedEntry(ports, key, {
    next(entry, check) {
      if (role !== 'MANAGER') assertFree(entry, memberId, check)
      return withoutClaim(entry, check)
    },
    audit(planned) {
      const former = formerOf(planned)
      const details = former && { ...formerAgent(former), ...(message !== null && { message }) }
      return details && auditEntry(ports, actor, { entry: planned.after, action: 'worklist.claimEnded', details })
    },
  })
  const former = formerOf(change)
  if (former) await sendNotice(ports, actor, { memberId: former.memberId, kind: 'CLAIM_ENDED', message, worklistEntryId: id })
  return change.after
}
