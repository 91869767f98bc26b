/** The keys of an object that has exactly the keys of its type, as a literal has. */
export function keysOf<Key extends string>(object: Readonly<Record<Key, unknown>>): readonly Key[]
export function keysOf(object: object): readonly string[] {
  return Object.keys(object)
}
