import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Audit, AuditEntry } from '../../src/ports/audit.ts'

export type AuditUnderTest = AsyncDisposable & {
  readonly audit: Audit
  /** The audit log of another instance on the same data. */
  readonly other: Audit
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
  const act = (n: number): Omit<AuditEntry, 'id' | 'order' | 'at'> => ({
    actor: { userId: 'u1', memberId: 'm1', ip: '127.0.0.1' },
    action: 'session.released',
    target: { kind: 'agent', id: `a${n}` },
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

  test('returns at most 101 entries at once', async () => {
    const workspaceId = newWorkspace()
    await Promise.all(Array.from({ length: 120 }, (_, n) => subject.audit.record(workspaceId, act(n))))
    expect((await readAll(workspaceId, 100_000)).map((page) => page.length)).toEqual([101, 19])
  })
}
