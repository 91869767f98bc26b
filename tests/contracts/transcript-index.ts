import { afterAll, beforeAll, expect, test } from 'vitest'
import { wordsIn } from '../../src/kernel/words.ts'
import type { IndexedCall, TranscriptIndex, TranscriptQuery } from '../../src/ports/transcript-index.ts'

export type TranscriptIndexUnderTest = AsyncDisposable & {
  /** At most 20 calls per workspace. */
  readonly index: TranscriptIndex
  /** Of another instance on the same data, or the same index if only one process may own the data. */
  readonly other: TranscriptIndex
  /** The same data, with a deadline that has always passed. */
  readonly hurried: TranscriptIndex
  readonly now: () => number
  /** Advances the clock of both. */
  readonly advance: (ms: number) => void
  /** Everything that is stored, as text. */
  readonly stored: () => Promise<string>
}

const all: TranscriptQuery = { phrases: [], facets: [], from: null, to: null, before: null, limit: 100 }
const words = (text: string): readonly string[] => wordsIn(text).map(({ word }) => word)

/** The contract of every index of transcripts. */
export function transcriptIndexContract(create: () => Promise<TranscriptIndexUnderTest>): void {
  let subject: TranscriptIndexUnderTest
  beforeAll(async () => {
    subject = await create()
  })
  afterAll(() => subject[Symbol.asyncDispose]())

  /** A workspace with some calls, a second apart. */
  const workspace = async (calls: Readonly<Record<string, readonly string[]>>, facets: readonly string[] = []) => {
    const workspaceId = crypto.randomUUID()
    const start = subject.now()
    const put = (callId: string, texts: readonly string[], more: { at?: number; expiresAt?: number; facets?: readonly string[] } = {}) =>
      subject.index.put(workspaceId, { callId, at: start, expiresAt: start + 60_000, utterances: texts.map(words), facets, ...more })
    for (const [index, [callId, texts]] of Object.entries(calls).entries()) await put(callId, texts, { at: start + index * 1_000 })
    const found = (query: Partial<TranscriptQuery> = {}) => subject.other.find(workspaceId, { ...all, ...query })
    const find = async (texts: readonly string[], query: Partial<TranscriptQuery> = {}) =>
      (await found({ phrases: texts.map(words), ...query })).map(({ callId }) => callId)
    return { workspaceId, start, put, found, find }
  }

  test('finds the calls that have all words, newest first, in this workspace only', async () => {
    const { find, found, start } = await workspace({ a: ['My card is lost'], b: ['Your card', 'is not lost'], c: ['A new card'] })
    expect(await find(['card'])).toEqual(['c', 'b', 'a'])
    expect(await find(['LOST', 'card'])).toEqual(['b', 'a'])
    expect(await find(['nothing'])).toEqual([])
    expect(await find([])).toEqual(['c', 'b', 'a'])
    expect(await found({ limit: 1 })).toEqual([{ callId: 'c', at: start + 2_000 }])
    expect(await (await workspace({})).find(['card'])).toEqual([])
  })

  test('finds each call that has a phrase in one utterance', async () => {
    const { find } = await workspace({ a: ['I have chest pain today'], b: ['Nothing at all'] })
    expect(await find(['chest pain'])).toEqual(['a'])
    expect(await find(['chest pain', 'today'])).toEqual(['a'])
    expect(await find(['have chest pain today'])).toEqual(['a'])
    expect(await find(['chest pain nothing'])).toEqual([])
  })

  test('compares without case and accents, and reads other scripts', async () => {
    const { find } = await workspace({ a: ['Café RENÉ, naïve'], b: ['मुझे सीने में दर्द हो रहा है'], c: ['Straße 12'] })
    expect(await find(['cafe rene'])).toEqual(['a'])
    expect(await find(['NAÏVE'])).toEqual(['a'])
    expect(await find(['दर्द हो'])).toEqual(['b'])
    expect(await find(['दद'])).toEqual([])
    expect(await find(['12'])).toEqual(['c'])
  })

  test('no text is syntax', async () => {
    const { find, found } = await workspace({ a: ['one AND two OR NOT near'] })
    for (const text of ['" OR "', 'one*', '^one', '-one']) expect(await find([text])).toEqual(['a'])
    for (const text of ['text : one', 'one"; DROP TABLE words; --', "one') OR 1=1 --", '{text facets} : one'])
      expect(await find([text])).toEqual([])
    expect(await found({ phrases: [['one" OR "two']] })).toEqual([])
    expect(await found({ facets: ['" OR facets : "'] })).toEqual([])
  })

  test('has all facets of the query', async () => {
    const { put, find } = await workspace({})
    await put('a', ['hello'], { facets: ['agent:1', 'outcome:OTHER'] })
    await put('b', ['hello'], { facets: ['agent:2', 'outcome:OTHER'] })
    expect(await find(['hello'], { facets: ['agent:1'] })).toEqual(['a'])
    expect(await find([], { facets: ['outcome:OTHER'] })).toEqual(['b', 'a'])
    expect(await find(['hello'], { facets: ['agent:1', 'agent:2'] })).toEqual([])
    expect(await find(['agent'])).toEqual([])
  })

  test('is read by range and page by page, also within one millisecond', async () => {
    const { put, found, start } = await workspace({})
    for (const [index, callId] of ['a', 'b', 'c', 'd', 'e'].entries()) await put(callId, ['same'], { at: start + Math.floor(index / 2) })
    const ids = async (query: Partial<TranscriptQuery>) => (await found({ phrases: [['same']], ...query })).map(({ callId }) => callId)
    expect(await ids({})).toEqual(['e', 'd', 'c', 'b', 'a'])
    expect(await ids({ from: start + 1, to: start + 1 })).toEqual(['d', 'c'])
    const pages: IndexedCall[] = []
    for (;;) {
      const [next] = await found({ phrases: [['same']], before: pages.at(-1) ?? null, limit: 1 })
      if (!next) break
      pages.push(next)
    }
    expect(pages.map(({ callId }) => callId)).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  test('finds rare and common words among many calls, in a range and page by page', async () => {
    const calls = Array.from('abcdefghijklmnopqrst')
    const rare = new Set(['d', 'p'])
    const { find, found, start } = await workspace(
      Object.fromEntries(calls.map((callId) => [callId, [rare.has(callId) ? 'common rare' : 'common']])),
    )
    const newest = calls.toReversed()
    expect([await find(['common']), await find([])]).toEqual([newest, newest])
    expect([await find(['rare']), await find(['rare', 'common'])]).toEqual([
      ['p', 'd'],
      ['p', 'd'],
    ])
    const range = { from: start + 3_000, to: start + 14_000 }
    expect([await find(['rare'], range), await find(['common'], range)]).toEqual([['d'], calls.slice(3, 15).toReversed()])
    for (const [text, all] of [
      ['rare', ['p', 'd']],
      ['common', newest],
    ] as const) {
      const pages: IndexedCall[] = []
      for (let page = 0; page < 30; page += 1) {
        const [next] = await found({ phrases: [[text]], before: pages.at(-1) ?? null, limit: 1 })
        if (!next) break
        pages.push(next)
      }
      expect(pages.map(({ callId }) => callId)).toEqual(all)
    }
  })

  test('replaces what is indexed of a call', async () => {
    const { put, find } = await workspace({ a: ['first words'] }, ['old'])
    await put('a', ['second words'], { facets: ['new'] })
    expect(await find(['words'])).toEqual(['a'])
    expect(await find(['first'])).toEqual([])
    expect(await find([], { facets: ['old'] })).toEqual([])
    expect(await find(['second'], { facets: ['new'] })).toEqual(['a'])
  })

  test('the oldest calls leave when there are too many', async () => {
    const calls = Array.from('abcdefghijklmnopqrstu')
    const { find } = await workspace(Object.fromEntries(calls.map((callId) => [callId, ['x']])))
    expect(await find(['x'])).toEqual(calls.slice(1).toReversed())
  })

  test('leaves the event loop to others, whatever it does', async () => {
    const { put, find } = await workspace({ a: ['one two'], b: ['one'] })
    for (const step of [
      () => put('c', ['two one']),
      () => find(['one two']),
      () => subject.index.purge(),
      () => subject.index.isFilled(),
    ]) {
      const order: string[] = []
      const done = step().then(() => order.push('done'))
      // What is done at once is done before these.
      for (let reactions = 0; reactions < 100; reactions += 1) await Promise.resolve()
      order.push('others')
      await done
      expect(order).toEqual(['others', 'done'])
    }
  })

  test('a search that takes longer than its deadline fails and says what to do; others go on', async () => {
    const { workspaceId, find } = await workspace(Object.fromEntries(Array.from('abcdefgh', (callId) => [callId, ['late']])))
    const search = subject.hurried.find(workspaceId, { ...all, phrases: [['late']] })
    await expect(search).rejects.toMatchObject({ reason: 'DEADLINE_PASSED', code: 'TIMEOUT', retryable: true })
    await expect(search).rejects.toThrow('Narrow it: a shorter time from `from` to `to`, an agent, or rarer words')
    expect(await find(['late'])).toHaveLength(8)
  })

  test('forgets a call at its end: at once when read, and its words when purged', async () => {
    const { put, find, start } = await workspace({})
    await put('a', ['unforgettable zanzibar'], { expiresAt: start + 1_000 })
    await put('b', ['zanzibar'], { expiresAt: start + 5_000 })
    expect(await subject.stored()).toContain('unforgettable')
    subject.advance(999)
    expect(await find(['zanzibar'])).toEqual(['b', 'a'])
    subject.advance(1)
    expect(await find(['zanzibar'])).toEqual(['b'])
    while (await subject.index.purge());
    expect(await subject.stored()).not.toContain('unforgettable')
    expect(await find(['zanzibar'])).toEqual(['b'])
    subject.advance(60_000)
    while (await subject.index.purge());
    expect(await subject.stored()).not.toContain('zanzibar')
  })

  test('remembers whether it is filled', async () => {
    expect(await subject.index.isFilled()).toBe(false)
    await subject.index.markFilled()
    expect(await subject.other.isFilled()).toBe(true)
  })
}
