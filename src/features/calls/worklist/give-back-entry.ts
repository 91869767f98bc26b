import type { Actor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CallPorts } from '../call-ports.ts'
import { auditEntry, formerAgent } from './audit-entry.ts'
import { assertFree } from './claim-entry.ts'
import { heldClaim, type WorklistEntry } from './entry.ts'
import { changeEntry, checkClaims, readEntry } from './entry-store.ts'

/**
 * Ends a claim before its time, so that others can call the person: the actor's own, or for a manager anyone's (audited). Does nothing if
 * nobody has the person. Errors: NOT_FOUND, ALREADY_CLAIMED (another agent's), WRONG_STATE (the agent is on the phone with the person).
 */
export async function giveBackEntry(
  ports: Pick<CallPorts, 'audit' | 'clock' | 'notifications' | 'store'>,
  actor: Actor,
  id: string,
): Promise<WorklistEntry> {
  const { workspaceId, memberId, role } = actor.principal
  const key = { workspaceId, id }
  const known = await readEntry(ports, key)
  const check = await checkClaims(ports, workspaceId, known ? [known] : [])
  const { before, after } = await changeEntry(ports, key, (entry) => {
    if (role !== 'MANAGER') assertFree(entry, memberId, check)
    if (entry.claim?.ucid && check.liveUcids.has(entry.claim.ucid) && heldClaim(entry, check)) {
      throw new AppError('WRONG_STATE', { detail: 'The call to this person is in progress; it can be given back when the call has ended' })
    }
    return { ...entry, claim: null }
  })
  const former = before && heldClaim(before, check)
  if (former && former.memberId !== memberId) {
    await auditEntry(ports, actor, { entry: after, action: 'worklist.claimEnded', details: formerAgent(former) })
  }
  return after
}
