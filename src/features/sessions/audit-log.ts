import type { AuditEntry, AuditPage } from '../../ports/audit.ts'

/** A page of the audit as the contract has it. */
export function auditLogPage({ entries, nextCursor }: AuditPage) {
  return { entries: entries.map(auditLogEntry), nextCursor }
}

function auditLogEntry({ id, at, action, actor, target, details }: AuditEntry) {
  const facts = Object.entries(details).map(([name, value]) => ({ name, value: value === null ? null : String(value) }))
  return { id, at, action, actor, targetKind: target?.kind ?? null, targetId: target?.id ?? null, details: facts }
}
