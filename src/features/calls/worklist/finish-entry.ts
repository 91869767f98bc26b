import type { Actor } from '../../../access/actor.ts'
import { sendNotice } from '../../sessions/agent-notices.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { settleEntry } from '../missed-calls/missed-call-store.ts'
import { auditEntry } from './audit-entry.ts'
import { assertFree } from './claim-entry.ts'
import { heldClaim, remaining, type WorklistEntry, type WorklistOutcome } from '../worklist-entries/entry.ts'
import { checkClaims, type EntryChange, nowIn, readEntry } from '../worklist-entries/entry-store.ts'

export type FinishRequest = { readonly id: string; readonly outcome: WorklistOutcome }

/**
 * Closes an entry with all its reasons: its missed calls no longer wait, and the tasks of its callbacks are completed on the platform. A
 * closed one stays as it is. Audited. Errors: NOT_FOUND, ALREADY_CLAIMED (another agent's; a manager may).
 */
export async function finishEntry(
  ports: Pick<CallPorts, 'audit' | 'clock' | 'log' | 'notifications' | 'store'>,
  actor: Actor,
  { id, outcome }: FinishRequest,
): Promise<WorklistEntry> {
  const { workspaceId, memberId, role, agentId } = actor.principal
  const key = { workspaceId, id }
  const known = await readEntry(ports, key)
  const check = await checkClaims(ports, workspaceId, known ? [known] : [])
  const at = nowIn(ports)
  const next = (entry: WorklistEntry): WorklistEntry => {
    if (role !== 'MANAGER') assertFree(entry, memberId, check)
    return remaining(entry, { missed: [], callbacks: [] }, { at, outcome, ucid: null, agentId })
  }
  const audit = ({ before, after }: EntryChange) =>
    before.closed === null ? auditEntry(ports, actor, { entry: after, action: 'worklist.finished', details: { outcome } }) : null
  const change = await settleEntry(ports, key, { next, mark: { doneAt: at }, audit })
  if (change.before.closed === null) {
    const former = heldClaim(change.before, check)
    if (former) await sendNotice(ports, actor, { memberId: former.memberId, kind: 'CLAIM_ENDED', worklistEntryId: id })
  }
  return change.after
}
