import type { JsonSchema } from '../openapi/json-schema.ts'

/** A schema with its reference followed and its null taken apart. */
export type ReadSchema = { readonly schema: JsonSchema; readonly nullable: boolean; readonly name: string | null }
export type SchemaReader = {
  read(schema: JsonSchema): ReadSchema
  /** A value that fits: the contract's own examples, else something plain. */
  sample(schema: JsonSchema, name?: string): unknown
}

const prefix = '#/components/schemas/'

export function createSchemaReader(schemas: Readonly<Record<string, JsonSchema>>): SchemaReader {
  const read = (schema: JsonSchema): ReadSchema => {
    const given = schema.anyOf?.filter(({ type }) => type !== 'null')
    const [only, ...others] = given ?? []
    if (only && others.length === 0) return { ...read(only), nullable: true }
    if (schema.$ref === undefined) {
      return { schema, nullable: Array.isArray(schema.type) && schema.type.includes('null'), name: null }
    }
    const name = schema.$ref.slice(prefix.length)
    return { schema: schemas[name] ?? {}, nullable: false, name }
  }

  const sample = (given: JsonSchema, name = '', above: readonly (string | null)[] = []): unknown => {
    const { schema, name: type } = read(given)
    const [example] = given.examples ?? schema.examples ?? []
    if (example !== undefined) return example
    if (schema.enum) return schema.enum[0]
    const [kind] = [schema.type].flat()
    if (kind === 'array') return schema.items ? [sample(schema.items, name, above)] : []
    if (schema.anyOf) return sample(schema.anyOf[0] ?? {}, name, above)
    if (kind === undefined || kind === 'object') {
      if (type !== null && above.includes(type)) return null
      const properties = Object.entries(schema.properties ?? {})
      return Object.fromEntries(properties.map(([key, value]) => [key, sample(value, key, [...above, type])]))
    }
    return kind === 'string' ? textFor(name) : (plain[kind] ?? null)
  }
  return { read, sample: (schema, name) => sample(schema, name) }
}

const plain: Readonly<Record<string, unknown>> = { integer: 60, number: 0.5, boolean: true }

const texts: readonly (readonly [RegExp, string])[] = [
  [/email/i, 'agent1@demo.example'],
  [/password/i, '…'],
  [/^firstName$/, 'Asha'],
  [/^lastName$/, 'Rao'],
  [/name$/i, 'Asha Rao'],
  [/token$/i, 'eyJhbGciOi…'],
  [/phone/i, '+919876543210'],
  [/^ucid$/i, '5512300000000000123'],
  [/^(workspace|subdomain)$/i, 'demo'],
  [/^ip$/i, '203.0.113.7'],
  [/id$/i, '3f0c9a52-6d1e-8c4b-9a77-0b5d2e8f1c64'],
]

function textFor(name: string): string {
  return texts.find(([pattern]) => pattern.test(name))?.[1] ?? 'text'
}
