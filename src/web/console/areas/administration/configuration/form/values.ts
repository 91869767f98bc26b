/** The fields of a section, or a part of them, as JSON. */
export type Values = Readonly<Record<string, unknown>>
/** The place of a value: names of fields, and positions in lists. */
export type Path = readonly (string | number)[]

/** What the service sends instead of a secret that is set. Sent back, it leaves the secret as it is. */
export const masked = '***masked***'

export function valuesOf(value: unknown): Values {
  return isValues(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => {
    if (typeof key === 'number') return listOf(part)[key]
    const values = valuesOf(part)
    return Object.hasOwn(values, key) ? values[key] : undefined
  }, value)
}

/** A copy with another value at the path. Parts that are missing on the way become objects. */
export function withValueAt(value: unknown, path: Path, next: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return next
  if (typeof key === 'number') return listOf(value).map((item, at) => (at === key ? withValueAt(item, rest, next) : item))
  const values = valuesOf(value)
  return { ...values, [key]: withValueAt(values[key], rest, next) }
}

/** Whether two JSON values are the same, whatever the order of their fields. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isSame(item, b[at]))
  if (!isValues(a) || !isValues(b)) return false
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => isSame(a[key], b[key]))
}
