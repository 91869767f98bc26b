import { type Actor, auditActor } from '../../../access/actor.ts'
import type { AuditAct } from '../../../ports/audit.ts'
import type { SortedEntry } from '../../../ports/store.ts'
import { auditedNumber } from '../state/audited-number.ts'
import type { CallPorts } from '../state/call-ports.ts'
import type { WorklistClaim, WorklistEntry } from '../worklist-entries/entry.ts'

export type EntryAct = Pick<AuditAct, 'action' | 'details'> & { readonly entry: WorklistEntry }

/** What the audit log says of what somebody does with a person of the worklist. It is stored with the change of the entry. */
export function auditEntry(
  { audit }: Pick<CallPorts, 'audit'>,
  actor: Actor,
  { entry: { id, phoneNumber, leadId }, action, details }: EntryAct,
): SortedEntry {
  return audit.entryOf(actor.principal.workspaceId, {
    actor: auditActor(actor),
    action,
    target: { kind: 'worklistEntry', id, name: auditedNumber(phoneNumber) },
    details: { ...details, leadId },
  })
}

/** Who had the person before. */
export function formerAgent({ agentId, name }: Pick<WorklistClaim, 'agentId' | 'name'>) {
  return { formerAgentId: agentId, formerAgentName: name }
}
