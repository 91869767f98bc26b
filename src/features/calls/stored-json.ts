import type { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { SortedEntry, Store } from '../../ports/store.ts'

/** Values stored as JSON, read in the form of their schema. Errors of all functions: STORE_UNAVAILABLE. */

const maxAttempts = 50

/** Null if the key has no value. */
export async function readJson<Value>(store: Store, key: string, schema: z.ZodType<Value>): Promise<Value | null> {
  return parse(await store.get(key), schema)
}

/**
 * One read; the values are in the order of the keys. One in another form, which another version of this service may have written, counts as none, so
 * that it does not hide the others.
 */
export async function readManyJson<Value>(
  store: Store,
  keys: readonly string[],
  schema: z.ZodType<Value>,
): Promise<readonly (Value | null)[]> {
  if (keys.length === 0) return []
  return (await store.getMany(keys)).map((text) => (text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)))
}

export async function writeJson(store: Store, key: string, { value, ttlMs }: { value: unknown; ttlMs: number }): Promise<void> {
  await store.set(key, JSON.stringify(value), { ttlMs })
}

export type JsonChange<Value> = {
  readonly schema: z.ZodType<Value>
  /** May depend on the new value. */
  readonly ttlMs: number | ((value: Value) => number)
  /** Computes the new value. It may run more than once. */
  readonly next: (value: Value | null) => Value
  /** Runs before each try to write: what must not be missing if the process dies after the write. */
  readonly prepare?: (before: Value | null, after: Value) => Promise<void>
  /** What is added to a sorted list in the step of the change, such as its audit entry. Not for a value that did not exist. It may run more than once. */
  readonly add?: ((before: Value, after: Value) => SortedEntry | null) | undefined
}

/**
 * Replaces a value by one computed from it, in one compare-and-set: concurrent changes build on each other. Throws OVERLOADED if others
 * change the value all the time.
 */
export async function changeJson<Value>(
  store: Store,
  key: string,
  { schema, ttlMs: ttl, next, prepare, add: addedBy }: JsonChange<Value>,
): Promise<{ readonly before: Value | null; readonly after: Value }> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const text = await store.get(key)
    const before = parse(text, schema)
    const after = next(before)
    await prepare?.(before, after)
    const value = JSON.stringify(after)
    const ttlMs = typeof ttl === 'number' ? ttl : ttl(after)
    const add = before === null ? null : (addedBy?.(before, after) ?? null)
    const isWritten =
      (value === text && add === null) ||
      (text === null
        ? await store.setIfAbsent(key, value, { ttlMs })
        : await store.compareAndSet(key, { expected: text, value, ttlMs, add }))
    if (isWritten) return { before, after }
  }
  throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}

function parse<Value>(text: string | null, schema: z.ZodType<Value>): Value | null {
  return text === null ? null : schema.parse(JSON.parse(text))
}
