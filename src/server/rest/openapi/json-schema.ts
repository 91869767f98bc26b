import { type GraphQLLeafType, isEnumType } from 'graphql'
import type { z } from 'zod'
import type { InputLimit } from '../../graphql/input-limits/input-limit.ts'
import { dateTimeForm } from '../../graphql/date-time.ts'

/** The part of JSON Schema 2020-12 that the description uses. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly examples?: readonly unknown[]
  readonly deprecated?: boolean
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly anyOf?: readonly JsonSchema[]
}

/** From the GraphQL schema, or from a zod schema. */
export type SchemaOfBody = JsonSchema | z.core.JSONSchema.BaseSchema

/** Named schemas, to which others refer. */
export type Components = {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** A reference to the schema with this name. The first call makes it; it may refer to itself. */
  refer(name: string, make: () => JsonSchema): JsonSchema
  /** Stores a schema under this name. If another schema has the name, it is stored under `otherwise`, if necessary with a number. */
  add(name: string, schema: JsonSchema, otherwise: string): JsonSchema
}

export function createComponents(): Components {
  const schemas: Record<string, JsonSchema> = {}
  const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
  return {
    schemas,
    refer(name, make) {
      if (!schemas[name]) {
        schemas[name] = {}
        schemas[name] = make()
      }
      return reference(name)
    },
    add(name, schema, otherwise) {
      const text = JSON.stringify(schema)
      const isFree = (candidate: string): boolean => !schemas[candidate] || JSON.stringify(schemas[candidate]) === text
      let taken = isFree(name) ? name : otherwise
      for (let number = 2; !isFree(taken); number += 1) taken = `${otherwise}${number}`
      schemas[taken] = schema
      return reference(taken)
    },
  }
}

export function orNull(schema: JsonSchema): JsonSchema {
  const { $ref, type, anyOf, ...rest } = schema
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  if (anyOf) return { ...rest, anyOf: [...anyOf, { type: 'null' }] }
  return $ref === undefined ? schema : { ...rest, anyOf: [{ $ref }, { type: 'null' }] }
}

const scalars: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time', pattern: dateTimeForm.source },
}

/** The schema of a scalar or enum. A custom scalar without an entry above may be any JSON. */
export function leafSchema(type: GraphQLLeafType, components: Components): JsonSchema {
  if (type.name === 'ConfigurationDocument') return described({ type: 'object' }, type.description)
  if (!isEnumType(type)) return scalars[type.name] ?? described({}, type.description)
  const values = type.getValues()
  const meanings = values.flatMap(({ name, description }) => (description ? [`\`${name}\`: ${description}`] : []))
  const description = [type.description, ...meanings].filter((line) => typeof line === 'string').join('\n')
  return components.refer(type.name, () => described({ type: 'string', enum: values.map(({ name }) => name) }, description))
}

/** The schema of a text or number with its limit. */
export function limited(schema: JsonSchema, limit: InputLimit | null): JsonSchema {
  if (!limit) return schema
  if (schema.type === 'integer') return { ...schema, ...given({ minimum: limit.minimum, maximum: limit.maximum }) }
  if (schema.type !== 'string') return schema
  const { form, minLength, maxLength } = limit
  return { ...schema, ...given({ minLength: minLength || undefined, maxLength }), pattern: form.pattern.source, ...form.published }
}

export function given(values: Readonly<Record<string, number | undefined>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** Adds a description. A value after "for example" in it becomes the example of the schema. */
export function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  if (!description) return schema
  const example = /for example `([^`]+)`/.exec(description)?.[1]
  const takesExample = example !== undefined && [schema.type].flat().includes('string')
  return { ...schema, description, ...(takesExample ? { examples: [example] } : {}) }
}
