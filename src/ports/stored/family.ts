import type { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { nextSlice } from '../../kernel/loop-slices.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { Ports } from '../ports.ts'
import { type SortedEntry, type Store, type Version, versionOf } from '../store.ts'
import { type Declaration, keyText } from './declaration.ts'

type FamilyOptions<Key, Value, Extra> = Declaration<Key> & {
  readonly schema: z.ZodType<Value>
  /** TEXT: the value is a text and stored as it is. Default: JSON. */
  readonly form?: 'JSON' | 'TEXT'
  /** The box that seals the stored text, with its key as the context. Default: not sealed. */
  readonly sealedBy?: (ports: Extra) => SecretBox
  /**
   * What to do with a value that another version of this service has written, or that is sealed with another key. REFUSED (default): reading it
   * throws, so that nobody takes it for absent and replaces it. ABSENT: it counts as none. Among many it always counts as none.
   */
  readonly unreadable?: 'REFUSED' | 'ABSENT'
}

/**
 * A value as it was read; null if there is none. `version`: with it the value can be replaced, unless it has changed since. Null if nothing is stored,
 * not even a value that cannot be read. `text`: as it is stored.
 */
export type StoredValue<Value> =
  | { readonly value: Value | null; readonly version: Version; readonly text: string }
  | { readonly value: null; readonly version: null; readonly text: null }

/** `lifetime`: milliseconds; the default is the longest. */
export type Write<Value> = { readonly value: Value; readonly lifetime?: number }

export type Change<Value, Next extends Value | null> = {
  /** Computes the new value; null leaves the old one as it is. It may run more than once. */
  readonly next: (value: Value | null) => Next
  /** Milliseconds; it may depend on the new value. Default: the longest. */
  readonly lifetime?: number | ((value: Value) => number)
  /** Runs before each try to write: what must not be missing if the process dies after the write. */
  readonly prepare?: (before: Value | null, after: Value) => Promise<void>
  /** What is added to a sorted list in the step of the change, such as its audit entry. Not for a value that did not exist. It may run more than once. */
  readonly add?: ((before: Value, after: Value) => SortedEntry | null) | undefined
}

export type Replacement<Value> = Write<Value> & { readonly version: Version | null; readonly add?: SortedEntry | null }

type Gets = { readonly store: Pick<Store, 'get'> }

const maxAttempts = 50
/** Characters: about a millisecond's work. */
const maxParsedAtOnce = 50_000
const longChars = 20_000

/**
 * One kind of stored value (`Extra`: the port that has the secret box of sealed values), one value for each key, and the only way to these values. All methods throw STORE_UNAVAILABLE; a write may have been
 * made even so.
 */
export class Family<Key, Value, Extra = unknown> {
  readonly declaration: FamilyOptions<Key, Value, Extra>

  constructor(declaration: FamilyOptions<Key, Value, Extra>) {
    this.declaration = declaration
  }

  /** Null if there is none. */
  async read(ports: Gets & Extra, key: Key): Promise<Value | null> {
    return (await this.readStored(ports, key)).value
  }

  /** To change it. */
  async readStored(ports: Gets & Extra, key: Key): Promise<StoredValue<Value>> {
    const text = await ports.store.get(this.keyText(key))
    // Many readers of a long value never parse it in one task.
    if (text !== null && text.length > longChars) await nextSlice()
    return this.storedIn(ports, key, text)
  }

  /** One read for many, in the order of the keys; equal keys are read once. Between long values the event loop gets a turn. */
  async readMany(ports: Pick<Ports, 'store'> & Extra, keys: readonly Key[]): Promise<readonly (Value | null)[]> {
    if (keys.length === 0) return []
    const different = new Map(keys.map((key) => [this.keyText(key), key]))
    const texts = await ports.store.getMany([...different.keys()])
    const values = new Map<string, Value | null>()
    let parsed = 0
    for (const [index, [name, key]] of [...different].entries()) {
      const text = texts[index] ?? null
      values.set(name, text === null ? null : this.readable(ports, key, text))
      parsed += text?.length ?? 0
      if (parsed > maxParsedAtOnce) {
        parsed = 0
        await nextSlice()
      }
    }
    return keys.map((key) => values.get(this.keyText(key)) ?? null)
  }

  /** With one of another family, in one read. */
  async readWith<OtherKey, Other, OtherExtra>(
    ports: Pick<Ports, 'store'> & Extra & OtherExtra,
    key: Key,
    other: { readonly family: Family<OtherKey, Other, OtherExtra>; readonly key: OtherKey },
  ): Promise<readonly [StoredValue<Value>, StoredValue<Other>]> {
    const [text = null, otherText = null] = await ports.store.getMany([this.keyText(key), other.family.keyText(other.key)])
    return [this.storedIn(ports, key, text), other.family.storedIn(ports, other.key, otherText)]
  }

  /** Whether something is stored, be it readable or not; one read, in the order of the keys. */
  async areStored({ store }: Pick<Ports, 'store'>, keys: readonly Key[]): Promise<readonly boolean[]> {
    if (keys.length === 0) return []
    return (await store.getMany(keys.map((key) => this.keyText(key)))).map((text) => text !== null)
  }

  /** The stored text, and when it ends (epoch milliseconds; null for an entry of an earlier version): for what cannot be read. */
  readText({ store }: Pick<Ports, 'store'>, key: Key): Promise<{ readonly value: string; readonly expiresAt: number | null } | null> {
    return store.entry(this.keyText(key))
  }

  /** With its end (epoch milliseconds; null for an entry of an earlier version). Null if there is none. */
  async readWithEnd(
    ports: Pick<Ports, 'store'> & Extra,
    key: Key,
  ): Promise<{ readonly value: Value; readonly expiresAt: number | null } | null> {
    const stored = await this.readText(ports, key)
    return stored && { value: this.decode(ports, key, stored.value), expiresAt: stored.expiresAt }
  }

  /** Replaces whatever there is. */
  write(ports: Pick<Ports, 'store'> & Extra, key: Key, { value, lifetime = this.declaration.lifetime }: Write<Value>): Promise<void> {
    return ports.store.set(this.keyText(key), this.encode(ports, key, value), { ttlMs: lifetime })
  }

  /** Only if there is none: true for one of many concurrent writers. Not repeatable. */
  writeNew(ports: Pick<Ports, 'store'> & Extra, key: Key, { value, lifetime = this.declaration.lifetime }: Write<Value>): Promise<boolean> {
    return ports.store.setIfAbsent(this.keyText(key), this.encode(ports, key, value), { ttlMs: lifetime })
  }

  /**
   * Replaces exactly this version (null: nothing is stored). `add` is added to its list in the same step; not with a first value. Resolves to the new
   * version; null if the value was changed meanwhile.
   */
  replace(ports: Pick<Ports, 'store'> & Extra, key: Key, { value, ...replacement }: Replacement<Value>): Promise<Version | null> {
    return this.replaceText(ports, key, { text: this.encode(ports, key, value), ...replacement })
  }

  /** As `replace`, by a text that was read: the same one, which lives on, or a former one, which comes back. */
  async replaceText(
    { store }: Pick<Ports, 'store'>,
    key: Key,
    { text, version, lifetime = this.declaration.lifetime, add = null }: Omit<Replacement<Value>, 'value'> & { readonly text: string },
  ): Promise<Version | null> {
    const isReplaced =
      version === null
        ? await store.setIfAbsent(this.keyText(key), text, { ttlMs: lifetime })
        : await store.compareAndSet(this.keyText(key), { version, value: text, ttlMs: lifetime, add })
    return isReplaced ? versionOf(text) : null
  }

  /** Replaces a value by one computed from it: concurrent changes build on each other. Throws OVERLOADED if others change it all the time. */
  async change<Next extends Value | null>(
    ports: Pick<Ports, 'store'> & Extra,
    key: Key,
    { next, lifetime: lifetimeOf = this.declaration.lifetime, prepare, add: addedBy }: Change<Value, Next>,
  ): Promise<{ readonly before: Value | null; readonly after: Next }> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { value: before, version, text: stored } = await this.readStored(ports, key)
      const after = next(before)
      if (after === null) return { before, after }
      await prepare?.(before, after)
      const text = this.encode(ports, key, after)
      const lifetime = typeof lifetimeOf === 'number' ? lifetimeOf : lifetimeOf(after)
      const add = before === null ? null : (addedBy?.(before, after) ?? null)
      const isSame = text === stored && add === null
      if (isSame || (await this.replaceText(ports, key, { text, version, lifetime, add })) !== null) return { before, after }
    }
    throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
  }

  /** Some keys of the family, in no order; one may come twice. `next`: where to read on; null at the end. It reads past the other families. */
  keys({ store }: Pick<Ports, 'store'>, after: string | null): Promise<{ readonly keys: readonly string[]; readonly next: string | null }> {
    return store.keys(this.declaration.name, after)
  }

  /** True if there was one. */
  delete({ store }: Pick<Ports, 'store'>, key: Key): Promise<boolean> {
    return store.delete(this.keyText(key))
  }

  /** Deletes exactly this version. */
  deleteVersion({ store }: Pick<Ports, 'store'>, key: Key, version: Version): Promise<boolean> {
    return store.compareAndDelete(this.keyText(key), version)
  }

  /** The version that a value has when it is stored. Not for sealed values, whose text is another one each time. */
  versionOf(value: Value): Version {
    return versionOf(this.textOf(value))
  }

  /** The key of the store: the context of what a feature seals itself. */
  keyText(key: Key): string {
    return keyText(this.declaration, key)
  }

  private encode(ports: Extra, key: Key, value: Value): string {
    const { sealedBy } = this.declaration
    const text = this.textOf(value)
    return sealedBy ? sealedBy(ports).seal(text, this.keyText(key)) : text
  }

  private textOf(value: Value): string {
    return this.declaration.form === 'TEXT' ? String(value) : JSON.stringify(value)
  }

  private decode(ports: Extra, key: Key, text: string): Value {
    const { form, sealedBy, schema } = this.declaration
    const opened = sealedBy ? sealedBy(ports).open(text, this.keyText(key)) : text
    return schema.parse(form === 'TEXT' ? opened : JSON.parse(opened))
  }

  private readable(ports: Extra, key: Key, text: string): Value | null {
    try {
      return this.decode(ports, key, text)
    } catch {
      return null
    }
  }

  private storedIn(ports: Extra, key: Key, text: string | null): StoredValue<Value> {
    if (text === null) return { value: null, version: null, text }
    const value = this.declaration.unreadable === 'ABSENT' ? this.readable(ports, key, text) : this.decode(ports, key, text)
    return { value, version: versionOf(text), text }
  }
}
