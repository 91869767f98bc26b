import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { type PageRequest, readConnection } from '../../kernel/connection.ts'
import type { AuditEntry } from '../../ports/audit.ts'
import type { Ports } from '../../ports/ports.ts'

const positionSchema = z.object({ order: z.number(), id: z.string() })

/** A page of the workspace's audit log, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function readAuditLog(
  { audit }: Pick<Ports, 'audit'>,
  { principal: { workspaceId } }: Pick<Actor, 'principal'>,
  page: PageRequest,
) {
  return readConnection({ name: 'audit', workspaceId, position: positionSchema }, page, async (before, limit) => {
    const found = await audit.read(workspaceId, { limit, before })
    return { entries: found.map((entry) => ({ node: logEntry(entry), position: { order: entry.order, id: entry.id } })) }
  })
}

function logEntry({ id, at, action, actor, target, details }: AuditEntry) {
  const facts = Object.entries(details).map(([name, value]) => ({ name, value: value === null ? null : String(value) }))
  return { id, at, action, actor, targetKind: target?.kind ?? null, targetId: target?.id ?? null, details: facts }
}
