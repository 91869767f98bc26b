import type { Ports } from '../ports.ts'
import { type Declaration, keyText } from './declaration.ts'

/** One kind of counter, one whole number for each key. Its lifetime counts from its first increment. All methods throw STORE_UNAVAILABLE. */
export class Counter<Key> {
  readonly declaration: Declaration<Key>

  constructor(declaration: Declaration<Key>) {
    this.declaration = declaration
  }

  /** Adds a whole number; returns the new value. */
  add({ store }: Pick<Ports, 'store'>, key: Key, by: number): Promise<number> {
    return store.increment(this.keyText(key), by, { ttlMs: this.declaration.lifetime })
  }

  /** One read for many, in the order of the keys. */
  async readMany({ store }: Pick<Ports, 'store'>, keys: readonly Key[]): Promise<readonly number[]> {
    const texts = await store.getMany(keys.map((key) => this.keyText(key)))
    return texts.map(Number)
  }

  /** 0 if it was never incremented. */
  async read({ store }: Pick<Ports, 'store'>, key: Key): Promise<number> {
    return Number((await store.get(this.keyText(key))) ?? 0)
  }

  /** The key of the store. */
  keyText(key: Key): string {
    return keyText(this.declaration, key)
  }

  async delete({ store }: Pick<Ports, 'store'>, key: Key): Promise<void> {
    await store.delete(this.keyText(key))
  }
}
