import { z } from 'zod'
import type { Audit, AuditAct, AuditEntry, AuditFilter, AuditFound, AuditPage } from '../../ports/audit.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { SortedMember, Store } from '../../ports/store.ts'
import { SortedList } from '../../ports/stored/sorted-list.ts'

/** A counter that orders entries of the same millisecond as this process wrote them. */
const tickMs = 0.001
const largestPage = 101
/** How many entries a filtered page looks at, and how many of them at once. */
const maxScanned = 5_000
const scannedAtOnce = 500

const entrySchema = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.object({
    userId: z.string(),
    memberId: z.string().nullable(),
    name: z.string().nullable().default(null),
    ip: z.string().nullable(),
  }),
  action: z.string(),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable().default(null) }).nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})

export const auditLog = new SortedList({
  name: 'audit',
  key: (workspaceId: string) => [workspaceId],
  lifetime: 365 * 86_400_000,
  about: 'agent',
  what: 'what people did: name and address of the member, action, name of the agent or member concerned',
})

/** The audit log in the store: one sorted set per workspace, ordered by time, with each entry as JSON. */
export function createStoreAudit({ store, clock }: { readonly store: Store; readonly clock: Clock }): Audit {
  let latest = 0

  const newEntry = (act: AuditAct): AuditEntry => {
    const now = clock.now()
    latest = Math.max(now, latest + tickMs)
    return { id: newId(), order: latest, at: isoMoment(now), ...act }
  }

  return {
    async record(workspaceId, act) {
      const entry = newEntry(act)
      await auditLog.add({ store }, workspaceId, memberOf(entry))
      return entry
    },
    entryOf: (workspaceId, act) => auditLog.entry(workspaceId, memberOf(newEntry(act))),
    read: async (workspaceId, page) => (await findBefore(store, workspaceId, { ...page, filter: {} })).entries,
    find: (workspaceId, page, filter) => findBefore(store, workspaceId, { ...page, filter }),
  }
}

function memberOf({ order, ...entry }: AuditEntry): SortedMember {
  return { member: JSON.stringify(entry), score: order }
}

/** Entries older than `before`, newest first. Entries of its own millisecond are read too, and skipped up to it. */
async function findBefore(
  store: Store,
  workspaceId: string,
  { before = null, filter, ...page }: AuditPage & { readonly filter: AuditFilter },
): Promise<AuditFound> {
  const limit = Math.min(Math.max(page.limit, 1), largestPage)
  const found: AuditEntry[] = []
  const { min, max, count } = rangeOf(filter, limit)
  let latest = before === null ? max : Math.min(before.order, max)
  let passed = before === null
  let last = before
  for (let offset = 0; offset < maxScanned; offset += count) {
    const members = await auditLog.range({ store }, workspaceId, { limit: count, offset, reverse: true, min, max: latest })
    // What is recorded meanwhile must not move the entries that follow.
    latest = offset === 0 ? (members[0]?.score ?? latest) : latest
    for (const entry of members.flatMap(entryOf)) {
      passed ||= before !== null && entry.order < before.order
      if (passed) {
        last = entry
        if (passes(entry, filter)) found.push(entry)
        if (found.length === limit) return { entries: found, readTo: null }
      } else passed = entry.id === before?.id
    }
    if (members.length < count) return { entries: found, readTo: null }
  }
  return { entries: found, readTo: last && { id: last.id, order: last.order } }
}

function rangeOf({ from, to, memberId, targetId, action }: AuditFilter, limit: number) {
  const isScanned = Boolean(memberId ?? targetId ?? action)
  return {
    min: from ? Date.parse(from) : Number.NEGATIVE_INFINITY,
    max: to ? Date.parse(to) - tickMs / 2 : Number.MAX_SAFE_INTEGER,
    count: isScanned ? scannedAtOnce : limit,
  }
}

function passes({ actor, target, action }: AuditEntry, filter: AuditFilter): boolean {
  if (filter.memberId && actor.memberId !== filter.memberId) return false
  if (filter.targetId && target?.id !== filter.targetId) return false
  return !filter.action || action === filter.action || action.startsWith(`${filter.action}.`)
}

/** Nothing for an entry in another form, which another version of this service has written: it must not hide the others. */
function entryOf({ member, score }: SortedMember): readonly AuditEntry[] {
  const entry = entrySchema.safeParse(JSON.parse(member)).data
  return entry ? [{ ...entry, order: score }] : []
}
