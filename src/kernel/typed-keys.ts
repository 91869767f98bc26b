/** The keys of an object that has exactly the keys of its type, for example an object literal. */
export function keysOf<Key extends string>(object: Readonly<Record<Key, unknown>>): readonly Key[]
export function keysOf(object: object): readonly string[] {
  return Object.keys(object)
}
