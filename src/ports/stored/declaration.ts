/** Whom a stored value is about. Erasing a person, and removing a workspace, find their values by it. */
export type About = 'person' | 'agent' | 'call' | 'workspace' | 'visitor' | 'nothing'

/** What every kind of stored value declares once, in the file that owns it. */
export type Declaration<Key> = {
  /** What its keys begin with, as docs/stored-values.md lists it. Each `*` is the place of a part of the key, in their order: `sessions:*:lock`. */
  readonly name: string
  /** The parts of a key after the name, none of them empty. The first is the workspace, unless `scope` is the installation. */
  readonly key: (key: Key) => readonly string[]
  /** Milliseconds: the longest that a value lives. A member of a list lives this long after the moment that is its score. */
  readonly lifetime: number
  readonly about: About
  /** What a value is, for the table in docs/stored-values.md; it says which personal data it has. */
  readonly what: string
  /** Default: each value belongs to one workspace. */
  readonly scope?: 'workspace' | 'installation'
}

/** A declaration of any type of key, for tables of all of them. */
export type Declared = Declaration<never>

/** The key of the store. */
export function keyText<Key>({ name, key: partsOf }: Pick<Declaration<Key>, 'name' | 'key'>, key: Key): string {
  // An empty part stays, so that the store refuses a key that lacks its workspace.
  const parts = [...partsOf(key)]
  return [name.replaceAll('*', () => parts.shift() ?? ''), ...parts].join(':')
}

/** Of the lifetimes of all names that of a key, in milliseconds; null for a key that nobody declared. */
export function lifetimeIn(lifetimes: ReadonlyMap<string, number>, key: string): number | null {
  const [area = '', second = '', third = ''] = key.split(':', 3)
  return lifetimes.get(area) ?? lifetimes.get(`${area}:${second}`) ?? lifetimes.get(`${area}:*:${third}`) ?? null
}
