import { z } from 'zod'
import type { Audit, AuditEntry } from '../../ports/audit.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { SortedMember, Store } from '../../ports/store.ts'

/** A counter that orders entries of the same millisecond as this process wrote them. */
const tickMs = 0.001
const largestPage = 100

const entrySchema = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.object({ userId: z.string(), memberId: z.string().nullable(), ip: z.string().nullable() }),
  action: z.string(),
  target: z.object({ kind: z.string(), id: z.string() }).nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
const cursorSchema = z.tuple([z.coerce.number(), z.uuid()])

/** The audit log in the store: one sorted set per workspace, ordered by time, with each entry as JSON. */
export function createStoreAudit({ store, clock }: { readonly store: Store; readonly clock: Clock }): Audit {
  let latest = 0

  return {
    async record(workspaceId, act) {
      const now = clock.now()
      latest = Math.max(now, latest + tickMs)
      const entry: AuditEntry = { id: newId(), at: isoMoment(now), ...act }
      await store.sortedAdd(listOf(workspaceId), JSON.stringify(entry), latest)
      return entry
    },
    async read(workspaceId, { limit, cursor }) {
      const list = listOf(workspaceId)
      const size = Math.min(Math.max(limit, 1), largestPage)
      const found = await readBefore(store, list, { cursor: parseCursor(cursor ?? null), count: size + 1 })
      const page = found.slice(0, size)
      const last = page.at(-1)
      return { entries: page.map(({ entry }) => entry), nextCursor: found.length > size && last ? cursorOf(last) : null }
    },
  }
}

type Scored = { readonly entry: AuditEntry; readonly score: number }
type Cursor = { readonly score: number; readonly id: string }

function listOf(workspaceId: string): string {
  return `audit:${workspaceId}`
}

/** Entries older than the cursor, newest first. Entries of the cursor's own millisecond are read too, and skipped up to the cursor's entry. */
async function readBefore(store: Store, list: string, { cursor, count }: { cursor: Cursor | null; count: number }): Promise<Scored[]> {
  const found: Scored[] = []
  let passed = cursor === null
  for (let offset = 0; found.length < count; offset += count) {
    const range = { limit: count, offset, reverse: true }
    const members = await store.sortedRange(list, cursor ? { ...range, max: cursor.score } : range)
    for (const scored of members.map(readMember)) {
      passed ||= cursor !== null && scored.score < cursor.score
      if (passed) found.push(scored)
      else passed = scored.entry.id === cursor?.id
    }
    if (members.length < count) break
  }
  return found.slice(0, count)
}

function readMember({ member, score }: SortedMember): Scored {
  return { entry: entrySchema.parse(JSON.parse(member)), score }
}

function cursorOf({ score, entry }: Scored): string {
  return Buffer.from(`${score} ${entry.id}`).toString('base64url')
}

function parseCursor(text: string | null): Cursor | null {
  if (text === null) return null
  const parsed = cursorSchema.safeParse(Buffer.from(text, 'base64url').toString().split(' '))
  if (!parsed.success) throw invalidInput('after', 'must be the nextCursor of a page')
  const [score, id] = parsed.data
  return { score, id }
}
