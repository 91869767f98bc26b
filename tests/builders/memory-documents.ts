import type { DocumentStore } from '../../src/ports/documents.ts'

/** Documents in this process' memory, for tests that need very many changes. */
export function createMemoryDocuments(): DocumentStore {
  const texts = new Map<string, string>()
  return {
    read: async (name) => texts.get(name) ?? null,
    async replace(name, { expected, text }) {
      if ((texts.get(name) ?? null) !== expected) return false
      texts.set(name, text)
      return true
    },
    locate: (name) => name,
    watch: () => ({ [Symbol.dispose]: () => undefined }),
    close: async () => undefined,
  }
}
