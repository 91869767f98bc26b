/** The keys of a table, in its order. A `Record` of an enumeration has all its values: the compiler names a table that lacks one. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[]
export function keysOf(table: object): readonly string[] {
  return Object.keys(table)
}
