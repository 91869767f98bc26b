import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Audit, AuditAct, AuditEntry, AuditFilter } from '../../src/ports/audit.ts'
import { type Store, versionOf } from '../../src/ports/store.ts'

export type AuditUnderTest = AsyncDisposable & {
  readonly audit: Audit
  /** The audit log of another instance on the same data. */
  readonly other: Audit
  /** What both store in. */
  readonly store: Store
  /** Advances the clock of both. */
  readonly advance: (ms: number) => void
}

const dayMs = 24 * 60 * 60 * 1_000

/** The contract of every audit log. */
export function auditContract(create: () => Promise<AuditUnderTest>): void {
  let subject: AuditUnderTest
  beforeAll(async () => {
    subject = await create()
  })
  afterAll(() => subject[Symbol.asyncDispose]())
  const newWorkspace = (): string => crypto.randomUUID()
  const act = (n: number): AuditAct => ({
    actor: { userId: 'u1', memberId: `m${n % 3}`, name: 'Meera Nair', ip: '127.0.0.1' },
    action: n % 2 === 0 ? 'session.released' : 'worklist.assigned',
    target: { kind: 'agent', id: `a${n}`, name: 'Asha Menon' },
    details: { n, reason: 'left for the day' },
  })
  const readAll = async (workspaceId: string, limit: number): Promise<AuditEntry[][]> => {
    const pages: AuditEntry[][] = []
    for (;;) {
      const page = await subject.audit.read(workspaceId, { limit, before: pages.at(-1)?.at(-1) ?? null })
      if (page.length > 0) pages.push([...page])
      if (page.length < Math.min(limit, 101)) return pages
    }
  }
  const numbers = (entries: readonly AuditEntry[]) => entries.map(({ details }) => details['n'])

  test('returns who did what, when, to whom', async () => {
    const workspaceId = newWorkspace()
    const kept = await subject.audit.record(workspaceId, act(1))
    expect(kept).toMatchObject(act(1))
    expect(new Date(kept.at).toISOString()).toBe(kept.at)
    expect(await subject.other.read(workspaceId, { limit: 10 })).toEqual([kept])
    expect(await subject.audit.read(newWorkspace(), { limit: 10 })).toEqual([])
  })

  test('has the entry of a change when the store has made the change', async () => {
    const workspaceId = newWorkspace()
    const key = `worklist-entry:${workspaceId}:change`
    await subject.store.set(key, 'before')
    const change = (value: string) => ({
      version: versionOf('before'),
      value,
      ttlMs: 60_000,
      add: subject.audit.entryOf(workspaceId, act(1)),
    })
    expect(await subject.store.compareAndSet(key, change('after'))).toBe(true)
    expect(await subject.store.compareAndSet(key, change('lost'))).toBe(false)
    expect(await subject.other.read(workspaceId, { limit: 10 })).toMatchObject([act(1)])
  })

  test('is read newest first, page by page, also within one millisecond', async () => {
    const workspaceId = newWorkspace()
    for (let n = 0; n < 25; n += 1) {
      if (n % 10 === 0) subject.advance(1)
      await subject.audit.record(workspaceId, act(n))
    }
    const expected = Array.from({ length: 25 }, (_, n) => 24 - n)
    for (const limit of [1, 4, 5, 24, 25, 26]) {
      const pages = await readAll(workspaceId, limit)
      expect(pages).toHaveLength(Math.ceil(25 / limit))
      expect(numbers(pages.flat())).toEqual(expected)
    }
  })

  test('neither repeats nor skips when more is recorded between two pages, by two instances in one millisecond', async () => {
    const workspaceId = newWorkspace()
    for (let n = 0; n < 10; n += 1) await (n % 2 ? subject.other : subject.audit).record(workspaceId, act(n))
    const all = await subject.audit.read(workspaceId, { limit: 10 })
    const first = await subject.audit.read(workspaceId, { limit: 5 })
    subject.advance(1)
    for (let n = 10; n < 14; n += 1) await subject.other.record(workspaceId, act(n))
    const second = await subject.other.read(workspaceId, { limit: 6, before: first.at(-1) ?? null })
    expect([...first, ...second]).toEqual(all)
  })

  test('deletes entries after 365 days, not before', async () => {
    const workspaceId = newWorkspace()
    await subject.audit.record(workspaceId, act(1))
    subject.advance(1_000)
    await subject.audit.record(workspaceId, act(2))
    subject.advance(365 * dayMs - 1_000 - 1)
    expect(numbers(await subject.audit.read(workspaceId, { limit: 10 }))).toEqual([2, 1])
    subject.advance(2)
    expect(numbers(await subject.audit.read(workspaceId, { limit: 10 }))).toEqual([2])
  })

  test('finds entries by member, target, action and time, page by page', async () => {
    const workspaceId = newWorkspace()
    const entries: AuditEntry[] = []
    for (let n = 0; n < 12; n += 1) {
      entries.push(await (n % 2 ? subject.other : subject.audit).record(workspaceId, act(n)))
      subject.advance(1_000)
    }
    const found = async (filter: AuditFilter, limit = 20) => {
      const all: AuditEntry[] = []
      for (;;) {
        const page = await subject.audit.find(workspaceId, { limit, before: all.at(-1) ?? null }, filter)
        all.push(...page.entries)
        if (page.entries.length < limit) return numbers(all)
      }
    }
    const [from, to] = [entries[3]?.at, entries[6]?.at]
    for (const limit of [1, 2, 20]) {
      expect(await found({}, limit)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      expect(await found({ memberId: 'm1' }, limit)).toEqual([10, 7, 4, 1])
      expect(await found({ targetId: 'a5' }, limit)).toEqual([5])
      expect(await found({ action: 'worklist' }, limit)).toEqual([11, 9, 7, 5, 3, 1])
      expect(await found({ action: 'worklist.assigned', memberId: 'm0' }, limit)).toEqual([9, 3])
      expect(await found({ action: 'work' }, limit)).toEqual([])
      expect(await found({ from, to }, limit)).toEqual([5, 4, 3])
      expect(await found({ from, to, action: 'session' }, limit)).toEqual([4])
      expect(await found({ from: to, to: from }, limit)).toEqual([])
    }
    expect((await subject.audit.find(newWorkspace(), { limit: 5 }, { memberId: 'm1' })).entries).toEqual([])
  })

  test('looks at 5,000 entries for a page with a filter, and says where it ended', async () => {
    const workspaceId = newWorkspace()
    await subject.audit.record(workspaceId, { ...act(1), action: 'member.created' })
    for (let done = 0; done < 5_000; done += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, n) => subject.audit.record(workspaceId, act(n * 2))))
    }
    const first = await subject.audit.find(workspaceId, { limit: 10 }, { action: 'member' })
    expect(first.entries).toEqual([])
    expect(first.readTo).not.toBeNull()
    const second = await subject.audit.find(workspaceId, { limit: 10, before: first.readTo }, { action: 'member' })
    expect(second).toMatchObject({ entries: [{ action: 'member.created' }], readTo: null })
  })

  test('an entry of an earlier version has no names', async () => {
    const workspaceId = newWorkspace()
    const { order: _, ...entry } = await subject.audit.record(workspaceId, act(1))
    const { name: _actor, ...actor } = entry.actor
    const earlier = JSON.stringify({ ...entry, id: 'old', actor, target: { kind: 'agent', id: 'a0' } })
    await subject.store.sortedAdd(`audit:${workspaceId}`, earlier, Date.parse(entry.at) - 1)
    expect((await subject.audit.read(workspaceId, { limit: 2 }))[1]).toMatchObject({
      actor: { ...actor, name: null },
      target: { kind: 'agent', id: 'a0', name: null },
    })
  })

  test('an entry that another version has stored in another form hides no other', async () => {
    const workspaceId = newWorkspace()
    await subject.audit.record(workspaceId, act(1))
    const { order, ...entry } = await subject.audit.record(workspaceId, act(2))
    await subject.store.sortedAdd(`audit:${workspaceId}`, JSON.stringify({ ...entry, id: 'x', details: { n: [3] } }), order - 0.0001)
    expect((await readAll(workspaceId, 1)).map(numbers)).toEqual([[2], [1]])
  })

  test('returns at most 101 entries at once', async () => {
    const workspaceId = newWorkspace()
    await Promise.all(Array.from({ length: 120 }, (_, n) => subject.audit.record(workspaceId, act(n))))
    expect((await readAll(workspaceId, 100_000)).map((page) => page.length)).toEqual([101, 19])
  })
}
