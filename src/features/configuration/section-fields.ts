import { z } from 'zod'
import { type FieldPath, valueAt } from './document-values.ts'

/** A field with one value (a list counts as one), and the marks from its schema. */
export type Field = {
  readonly path: FieldPath
  readonly secret: boolean
  /** Whether the field decides where secrets are sent. */
  readonly destination: boolean
  /** Whether the field names the account that the secrets belong to. */
  readonly account: boolean
  /** For a secret: the paths of the fields that decide where it is sent. */
  readonly sentTo: readonly FieldPath[]
}

/** The fields of a section. For a choice (a provider): the fields of the option that `values` choose. */
export function fieldsOf(schema: z.core.$ZodType, values: unknown, path: FieldPath = []): readonly Field[] {
  const { shape, marks } = layersOf(schema, values)
  if (shape) return Object.entries(shape).flatMap(([key, part]) => fieldsOf(part, valueAt(values, [key]), [...path, key]))
  const sentTo = marks.sentTo?.map((other) => other.split('.')) ?? [path.slice(0, -1)]
  return [{ path, secret: marks.secret === true, destination: marks.destination === true, account: marks.account === true, sentTo }]
}

/** A schema without its defaults and nulls. */
export type Layers = {
  /** The shape of an object, or of the option that `values` choose; null for a field, and if no known option is chosen. */
  readonly shape: Readonly<Record<string, z.core.$ZodType>> | null
  /** Whether it is a choice of several options, distinguished by `id`. */
  readonly isChoice: boolean
  readonly marks: Marks
}

export function layersOf(schema: z.core.$ZodType, values: unknown): Layers {
  const marks = marksSchema.parse(z.globalRegistry.get(schema) ?? {})
  if (schema instanceof z.ZodObject) return { shape: schema.shape, isChoice: false, marks }
  const isChoice = schema instanceof z.ZodDiscriminatedUnion
  const within = isChoice ? chosenOption(schema, values) : innerOf(schema)
  if (!within) return { shape: null, isChoice, marks }
  const deeper = layersOf(within, values)
  return { shape: deeper.shape, isChoice: isChoice || deeper.isChoice, marks: { ...deeper.marks, ...marks } }
}

const marksSchema = z.object({
  secret: z.boolean().optional(),
  destination: z.boolean().optional(),
  account: z.boolean().optional(),
  sentTo: z.array(z.string()).optional(),
})
type Marks = z.output<typeof marksSchema>

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  if (schema instanceof z.ZodPipe) return schema.in
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return schema.unwrap()
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodReadonly) return schema.unwrap()
  return null
}

function chosenOption(choice: z.ZodDiscriminatedUnion, values: unknown): z.core.$ZodType | null {
  const fits = (option: z.core.$ZodType): boolean =>
    option instanceof z.ZodObject && z.safeParse(option.shape['id'], valueAt(values, ['id'])).success
  return choice.options.find(fits) ?? null
}
