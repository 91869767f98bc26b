import { z } from 'zod'
import type { Audit, AuditEntry, AuditPage } from '../../ports/audit.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { SortedMember, Store } from '../../ports/store.ts'

/** A counter that orders entries of the same millisecond as this process wrote them. */
const tickMs = 0.001
const largestPage = 101

const entrySchema = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.object({ userId: z.string(), memberId: z.string().nullable(), ip: z.string().nullable() }),
  action: z.string(),
  target: z.object({ kind: z.string(), id: z.string() }).nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})

/** The audit log in the store: one sorted set per workspace, ordered by time, with each entry as JSON. */
export function createStoreAudit({ store, clock }: { readonly store: Store; readonly clock: Clock }): Audit {
  let latest = 0

  return {
    async record(workspaceId, act) {
      const now = clock.now()
      latest = Math.max(now, latest + tickMs)
      const order = latest
      const entry = { id: newId(), at: isoMoment(now), ...act }
      await store.sortedAdd(listOf(workspaceId), JSON.stringify(entry), order)
      return { ...entry, order }
    },
    read: (workspaceId, { limit, before = null }) =>
      readBefore(store, listOf(workspaceId), { before, limit: Math.min(Math.max(limit, 1), largestPage) }),
  }
}

function listOf(workspaceId: string): string {
  return `audit:${workspaceId}`
}

/** Entries older than `before`, newest first. Entries of its own millisecond are read too, and skipped up to it. */
async function readBefore(store: Store, list: string, { before, limit }: Required<AuditPage>): Promise<readonly AuditEntry[]> {
  const found: AuditEntry[] = []
  let passed = before === null
  for (let offset = 0; found.length < limit; offset += limit) {
    const range = { limit, offset, reverse: true }
    const members = await store.sortedRange(list, before ? { ...range, max: before.order } : range)
    for (const entry of members.map(entryOf)) {
      passed ||= before !== null && entry.order < before.order
      if (passed) found.push(entry)
      else passed = entry.id === before?.id
    }
    if (members.length < limit) break
  }
  return found.slice(0, limit)
}

function entryOf({ member, score }: SortedMember): AuditEntry {
  return { ...entrySchema.parse(JSON.parse(member)), order: score }
}
