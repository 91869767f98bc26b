import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { type PageRequest, readConnection } from '../../kernel/connection.ts'
import type { AuditEntry, AuditFilter } from '../../ports/audit.ts'
import type { Ports } from '../../ports/ports.ts'

const positionSchema = z.object({ order: z.number(), id: z.string() })

/** A page of the workspace's audit log, newest first. With a filter it may have fewer entries, although there are further pages. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function readAuditLog(
  { audit }: Pick<Ports, 'audit'>,
  { principal: { workspaceId } }: Pick<Actor, 'principal'>,
  { first, after, ...filter }: PageRequest & AuditFilter,
) {
  return readConnection({ name: 'audit', workspaceId, position: positionSchema }, { first, after }, async (before, limit) => {
    const { entries, readTo } = await audit.find(workspaceId, { limit, before }, filter)
    return { entries: entries.map((entry) => ({ node: logEntry(entry), position: { order: entry.order, id: entry.id } })), readTo }
  })
}

function logEntry({ id, at, action, actor, target, details }: AuditEntry) {
  const facts = Object.entries(details).map(([name, value]) => ({ name, value: value === null ? null : String(value) }))
  const { leadId = null } = details
  return {
    id,
    at,
    action,
    actor,
    targetKind: target?.kind ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    leadId: typeof leadId === 'string' ? leadId : null,
    details: facts,
  }
}
