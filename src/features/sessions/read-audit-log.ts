import type { Actor } from '../../access/actor.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import type { Ports } from '../../ports/ports.ts'

/** A page of the workspace's audit log, newest first. Errors: INVALID_INPUT (an unknown cursor). */
export async function readAuditLog(
  { audit }: Pick<Ports, 'audit'>,
  { principal }: Pick<Actor, 'principal'>,
  { first, after }: { readonly first: number; readonly after: string | null },
) {
  const { entries, nextCursor } = await audit.read(principal.workspaceId, { limit: first, cursor: after })
  return { entries: entries.map(logEntry), nextCursor }
}

function logEntry({ id, at, action, actor, target, details }: AuditEntry) {
  const facts = Object.entries(details).map(([name, value]) => ({ name, value: value === null ? null : String(value) }))
  return { id, at, action, actor, targetKind: target?.kind ?? null, targetId: target?.id ?? null, details: facts }
}
