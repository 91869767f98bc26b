import { z } from 'zod'

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

/** A field that holds one value (a list counts as one), with the marks that its schema gave it. */
export type Field = {
  readonly path: FieldPath
  readonly secret: boolean
  /** Decides where secrets are sent. */
  readonly destination: boolean
  /** For a secret: where the fields lie that decide where it is sent. */
  readonly sentTo: readonly FieldPath[]
}

/** The fields of a section; those of a choice (a provider) as `values` choose. */
export function fieldsOf(schema: z.core.$ZodType, values: unknown, path: FieldPath = []): readonly Field[] {
  const { inner, marks } = unwrap(schema)
  if (inner instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape
    return Object.entries(shape).flatMap(([key, part]) => fieldsOf(part, valueAt(values, [key]), [...path, key]))
  }
  if (inner instanceof z.ZodDiscriminatedUnion) {
    const chosen = inner.options.find((option) => fitsChoice(option, values))
    if (chosen) return fieldsOf(chosen, values, path)
  }
  const sentTo = marks.sentTo?.map((other) => other.split('.')) ?? [path.slice(0, -1)]
  return [{ path, secret: marks.secret === true, destination: marks.destination === true, sentTo }]
}

const marksSchema = z.object({
  secret: z.boolean().optional(),
  destination: z.boolean().optional(),
  sentTo: z.array(z.string()).optional(),
})
type Marks = z.output<typeof marksSchema>

/** What a schema is under its defaults and nulls, and the marks of every layer. */
function unwrap(schema: z.core.$ZodType): { inner: z.core.$ZodType; marks: Marks } {
  const marks = marksSchema.parse(z.globalRegistry.get(schema) ?? {})
  const within = innerOf(schema)
  if (!within) return { inner: schema, marks }
  const deeper = unwrap(within)
  return { inner: deeper.inner, marks: { ...deeper.marks, ...marks } }
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  if (schema instanceof z.ZodPipe) return schema.in
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return schema.unwrap()
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodReadonly) return schema.unwrap()
  return null
}

function fitsChoice(option: z.core.$ZodType, values: unknown): boolean {
  if (!(option instanceof z.ZodObject)) return false
  return z.safeParse(option.shape['id'], valueAt(values, ['id'])).success
}
