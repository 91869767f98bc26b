import type { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { Store } from '../../ports/store.ts'

const mostTries = 50

/** A value kept as JSON under keys of the store, read and replaced in the form of its schema. */
export type StoredJson<Value> = {
  readonly read: (key: string) => Promise<Value | null>
  /** One read, in the order of the keys. */
  readonly readMany: (keys: readonly string[]) => Promise<readonly (Value | null)[]>
  readonly write: (key: string, value: Value) => Promise<void>
  /**
   * Replaces a value by what follows from it, in one step: whoever comes at the same moment builds on the other's. `next` may be called
   * more than once. Throws OVERLOADED where it never gets through.
   */
  readonly change: (key: string, next: (value: Value | null) => Value) => Promise<{ readonly before: Value | null; readonly after: Value }>
}

export function createStoredJson<Value>(store: Store, { schema, ttlMs }: { schema: z.ZodType<Value>; ttlMs: number }): StoredJson<Value> {
  const parse = (text: string | null): Value | null => (text === null ? null : schema.parse(JSON.parse(text)))

  const replace = async (key: string, from: string | null, value: Value): Promise<boolean> => {
    const text = JSON.stringify(value)
    if (from === text) return true
    return from === null ? store.setIfAbsent(key, text, { ttlMs }) : store.compareAndSet(key, { expected: from, value: text, ttlMs })
  }

  return {
    read: async (key) => parse(await store.get(key)),
    readMany: async (keys) => (keys.length === 0 ? [] : (await store.getMany(keys)).map(parse)),
    write: (key, value) => store.set(key, JSON.stringify(value), { ttlMs }),
    async change(key, next) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const text = await store.get(key)
        const before = parse(text)
        const after = next(before)
        if (await replace(key, text, after)) return { before, after }
      }
      throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
    },
  }
}
