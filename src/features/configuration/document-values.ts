/** The fields of a section as JSON has them. */
export type DocumentValues = { readonly [field: string]: unknown }

/** Where a field stands within its section. */
export type FieldPath = readonly string[]

export function isDocument(value: unknown): value is DocumentValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of a value that is known to have some. */
export function documentOf(value: unknown): DocumentValues {
  if (!isDocument(value)) throw new TypeError('a section is an object')
  return value
}

/** The value at a path; undefined where the way there is missing. */
export function valueAt(values: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((part, key) => (isDocument(part) && Object.hasOwn(part, key) ? part[key] : undefined), values)
}

/** The same values with another one at a path whose way is there. */
export function withValueAt(values: DocumentValues, path: FieldPath, value: unknown): DocumentValues {
  const [key, ...rest] = path
  if (key === undefined) return values
  const inner = values[key]
  return { ...values, [key]: rest.length > 0 && isDocument(inner) ? withValueAt(inner, rest, value) : value }
}
