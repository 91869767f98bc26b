import { type GraphQLLeafType, isEnumType } from 'graphql'
import type { z } from 'zod'

/** The part of JSON Schema 2020-12 that the description uses. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
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

/** Schemas that have a name, referred to from many places. */
export type Components = {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** A reference to the one schema of this name, which is made on the first call; it may refer to itself. */
  refer(name: string, make: () => JsonSchema): JsonSchema
  /** Keeps a schema under this name; where another one has it under `otherwise`, with a number at need. */
  keep(name: string, schema: JsonSchema, otherwise: string): JsonSchema
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
    keep(name, schema, otherwise) {
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
  Instant: { type: 'string', format: 'date-time', examples: ['2026-03-01T09:30:00.000Z'] },
}

/** A scalar or enum; a scalar that is unknown here may be any JSON. */
export function leafSchema(type: GraphQLLeafType, components: Components): JsonSchema {
  if (!isEnumType(type)) return scalars[type.name] ?? described({}, type.description)
  const values = type.getValues()
  const meanings = values.flatMap(({ name, description }) => (description ? [`\`${name}\`: ${description}`] : []))
  const description = [type.description, ...meanings].filter((line) => typeof line === 'string').join('\n')
  return components.refer(type.name, () => described({ type: 'string', enum: values.map(({ name }) => name) }, description))
}

/** With the words of the contract; what they give as an example becomes the example of the schema too. */
export function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  if (!description) return schema
  const example = /for example `([^`]+)`/.exec(description)?.[1]
  const takesExample = example !== undefined && [schema.type].flat().includes('string')
  return { ...schema, description, ...(takesExample ? { examples: [example] } : {}) }
}
