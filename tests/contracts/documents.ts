import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentStore } from '../../src/ports/documents.ts'

/** `other`: another instance with the same documents; the same store if it belongs to one process. */
export type DocumentStoreUnderTest = AsyncDisposable & { readonly documents: DocumentStore; readonly other: DocumentStore }

/** The rules for every document store. */
export function documentStoreContract(create: () => Promise<DocumentStoreUnderTest>): void {
  let subject: DocumentStoreUnderTest
  let documents: DocumentStore
  beforeAll(async () => {
    subject = await create()
    documents = subject.documents
  })
  afterAll(() => subject[Symbol.asyncDispose]())
  const newName = (): string => `${crypto.randomUUID()}/theme`

  test('a document is null before the first write, and then exactly what was written, for all instances', async () => {
    const name = newName()
    expect(await documents.read(name)).toBeNull()
    const text = JSON.stringify({ text: 'ünïcode 🩺 "quoted"\n'.repeat(20_000) })
    expect(await documents.replace(name, { expected: null, text })).toBe(true)
    expect(await subject.other.read(name)).toBe(text)
    expect(await documents.read(newName())).toBeNull()
  })

  test('replaces only the expected text', async () => {
    const name = newName()
    await documents.replace(name, { expected: null, text: 'one' })
    expect(await documents.replace(name, { expected: null, text: 'two' })).toBe(false)
    expect(await subject.other.replace(name, { expected: 'three', text: 'two' })).toBe(false)
    expect(await documents.read(name)).toBe('one')
    expect(await subject.other.replace(name, { expected: 'one', text: 'two' })).toBe(true)
    expect(await documents.read(name)).toBe('two')
  })

  test('exactly one of many concurrent writers succeeds', async () => {
    const name = newName()
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
    const won = await Promise.all(
      texts.map((text, index) => (index % 2 === 0 ? documents : subject.other).replace(name, { expected: null, text })),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(await documents.read(name)).toBe(texts[won.indexOf(true)])
  })

  test('two writers that read, change and retry lose nothing', async () => {
    const name = newName()
    await documents.replace(name, { expected: null, text: '0' })
    const addOne = async (store: DocumentStore): Promise<void> => {
      const text = (await store.read(name)) ?? ''
      if (!(await store.replace(name, { expected: text, text: String(Number(text) + 1) }))) await addOne(store)
    }
    const writer = async (store: DocumentStore): Promise<void> => {
      for (let round = 0; round < 50; round += 1) await addOne(store)
    }
    await Promise.all([writer(documents), writer(subject.other)])
    expect(await documents.read(name)).toBe('100')
  })

  test('reports the place of a document', () => {
    expect(documents.locate('workspace/theme')).toContain('workspace/theme')
  })
}
