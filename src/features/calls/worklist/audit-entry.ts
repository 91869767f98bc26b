import { type Actor, auditActor } from '../../../access/actor.ts'
import type { AuditEntry } from '../../../ports/audit.ts'
import { auditedNumber } from '../audited-number.ts'
import type { CallPorts } from '../call-ports.ts'
import type { WorklistClaim, WorklistEntry } from './entry.ts'

export type EntryAct = Pick<AuditEntry, 'action' | 'details'> & { readonly entry: WorklistEntry }

/** Records what somebody does with a person of the worklist, before it is done: after a crash the log has at most an entry too many. */
export async function auditEntry(
  { audit }: Pick<CallPorts, 'audit'>,
  actor: Actor,
  { entry: { id, phoneNumber, leadId }, action, details }: EntryAct,
): Promise<void> {
  await audit.record(actor.principal.workspaceId, {
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
