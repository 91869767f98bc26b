/** The fields of a section as JSON. */
export type DocumentValues = { readonly [field: string]: unknown }

/** The path of a field in its section. */
export type FieldPath = readonly string[]

export function isDocument(value: unknown): value is DocumentValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a document; throws if it is not an object. */
export function documentOf(value: unknown): DocumentValues {
  if (!isDocument(value)) throw new TypeError('a section must be an object')
  return value
}

/** The value at a path; undefined if the path does not exist. */
export function valueAt(values: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((part, key) => (isDocument(part) && Object.hasOwn(part, key) ? part[key] : undefined), values)
}

/** A copy with another value at an existing path. */
export function withValueAt(values: DocumentValues, path: FieldPath, value: unknown): DocumentValues {
  const [key, ...rest] = path
  if (key === undefined) return values
  const inner = values[key]
  return { ...values, [key]: rest.length > 0 && isDocument(inner) ? withValueAt(inner, rest, value) : value }
}
