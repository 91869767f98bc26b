import * as fc from 'fast-check'
import { z } from 'zod'

/** The part of JSON Schema that the API description uses for requests. */
const schemaSchema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minLength: z.number().default(0),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().default(0),
  maxItems: z.number().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
})
type Schema = z.output<typeof schemaSchema>
type Components = Readonly<Record<string, unknown>>

/** Values that are valid against the schema, those at its limits included. */
export function validValues(given: unknown, components: Components): fc.Arbitrary<unknown> {
  const schema = schemaSchema.parse(given)
  if (schema.$ref !== undefined) return validValues(components[schema.$ref.split('/').at(-1) ?? ''], components)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => validValues(choice, components)))
  const types = [schema.type ?? 'any'].flat()
  return fc.oneof(...types.map((type) => ofType(type, schema, components)))
}

function ofType(type: string, schema: Schema, components: Components): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return texts(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -2_147_483_648, max: schema.maximum ?? 2_147_483_647 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(validValues(schema.items, components), {
        minLength: schema.minItems,
        maxLength: Math.min(schema.maxItems ?? 20, schema.minItems + 20),
      })
    case 'object':
      return objects(schema, components)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objects({ properties, required }: Schema, components: Components): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, member]): [string, fc.Arbitrary<unknown>] => [
    name,
    validValues(member, components),
  ])
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true })
}

const characters = fc.constantFrom(...Array.from('aZ09 .,-_"\'<>&%$#@!?+=/\\{}[]:;é क೯漢\u00a0\u3000\ufeff\u200d😀\t\n\v\x01\x7f'))

function texts({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const form = pattern === undefined ? null : new RegExp(pattern, 'u')
  const isValid = (text: string): boolean =>
    lengthOf(text) >= minLength && lengthOf(text) <= (maxLength ?? text.length) && (form?.test(text) ?? true)
  if (format === 'uuid') return fc.uuid({ version: [1, 2, 3, 4, 5] })
  if (format === 'date-time') return moments.filter(isValid)
  const free = fc.string({ unit: characters, minLength, maxLength: Math.min(maxLength ?? 60, minLength + 60) })
  const full = maxLength === undefined || maxLength > 10_000 ? free : fc.constantFrom(...longest.map((unit) => unit.repeat(maxLength)))
  const isClosed =
    form !== null && Array.from('é"漢').every((character) => !form.test(`a${character}a`) && !form.test(`http://a${character}`))
  // A list of allowed characters: made from the pattern. Otherwise the few that are not allowed are left out.
  const all = isClosed ? fc.oneof(fc.stringMatching(new RegExp(pattern ?? '')), ...longestOf(maxLength)) : fc.oneof(free, free, full)
  return (pattern?.includes('Tt') === true ? fc.webUrl() : all).filter(isValid)
}

const longest = ['x', 'क', '😀']
const longestOf = (maxLength: number | undefined): fc.Arbitrary<string>[] =>
  maxLength === undefined ? [] : [fc.constant('x'.repeat(maxLength))].slice(0, maxLength < 1_000 ? 1 : 0)

const moments = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().replace(/\.\d+Z$/, '+05:30')))

/** In code points, as JSON Schema counts. */
function lengthOf(text: string): number {
  return Array.from(text).length
}
