import { z } from 'zod'

/** Strict: a keyword that is not compared could hide a change. */
const schemaSchema = z.strictObject({
  $schema: z.string().optional(),
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  default: z.unknown().optional(),
  title: z.string().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  // An empty schema allows them, as `true` does.
  additionalProperties: z.union([z.boolean(), z.strictObject({})]).optional(),
  anyOf: z.array(z.unknown()).optional(),
})
type Schema = z.output<typeof schemaSchema>

/** Who sends the value. Clients send `request`; they read `answer` and `event`. A closed list of an event never gets a new value. */
export type Direction = 'request' | 'answer' | 'event'
export type NamedSchemas = Readonly<Record<string, unknown>>
/** `at`: the named schema or operation, with the fields that lead to the place. */
export type JsonChange = { readonly at: readonly string[]; readonly what: string }
export type Comparison = {
  readonly direction: Direction
  readonly named: { readonly before: NamedSchemas; readonly after: NamedSchemas }
  /** Pairs of named schemas that are compared already. */
  readonly seen: Set<string>
}
export type Pair = { readonly before: unknown; readonly after: unknown; readonly at: readonly string[] }

/** What breaks a client that was written against `before`. */
export function jsonSchemaChanges(pair: Pair, comparison: Comparison): readonly JsonChange[] {
  const { direction, named, seen } = comparison
  const [before, after] = [resolved(pair.before, named.before, pair.at), resolved(pair.after, named.after, pair.at)]
  const [old, current] = [before.schema, after.schema]
  // A union that is always the same one of its forms now is no change for who reads it.
  const branch = direction === 'request' ? undefined : branchesOf(old).find((one) => branchName(one) === branchName(pair.after))
  if (branch !== undefined && !current.anyOf) return jsonSchemaChanges({ ...pair, before: branch }, comparison)
  // Whether it can be null belongs to the field that refers to a named schema.
  const types = typeFaults({ old, current, direction }).map((what) => ({ at: pair.at, what }))
  const at = before.name === null ? (old.title === undefined ? pair.at : [old.title]) : [before.name]
  const key = `${direction} ${before.name ?? ''} ${after.name ?? ''}`
  if (before.name !== null && seen.has(key)) return types
  seen.add(key)
  const own = [...valueFaults({ old, current, direction }), ...limitFaults({ old, current, direction })]
  return [
    ...types,
    ...own.map((what) => ({ at, what })),
    ...propertyChanges({ old, current, at }, comparison),
    ...itemChanges({ old, current, at }, comparison),
    ...branchChanges({ old, current, at }, comparison),
  ]
}

type Both = { readonly old: Schema; readonly current: Schema }
type Directed = Both & { readonly direction: Direction }
type Placed = Both & { readonly at: readonly string[] }

function resolved(given: unknown, named: NamedSchemas, at: readonly string[]): { readonly schema: Schema; readonly name: string | null } {
  const { data: schema, error } = schemaSchema.safeParse(given ?? {})
  if (error) throw new Error(`${at.join('.')} has a form that the comparison of contracts does not know. ${z.prettifyError(error)}`)
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return { schema: resolved(named[name], {}, [name]).schema, name }
  }
  // `anyOf` of one schema and null is that schema, which can also be null.
  const branches = branchesOf(schema)
  const [first] = branches
  if (!schema.anyOf || branches.length !== 1 || schema.anyOf.length === 1) return { schema, name: null }
  const inner = resolved(first, named, at)
  return { name: inner.name, schema: { ...inner.schema, type: [...typesOf(inner.schema), 'null'] } }
}

function branchesOf({ anyOf = [] }: Schema): readonly unknown[] {
  return anyOf.filter((branch) => !z.object({ type: z.literal('null') }).safeParse(branch).success)
}

function typesOf({ type, enum: values, const: only, anyOf }: Schema): readonly string[] {
  if (anyOf)
    return anyOf.some((branch) => z.object({ type: z.literal('null') }).safeParse(branch).success) ? ['one of', 'null'] : ['one of']
  if (type !== undefined) return [type].flat()
  return values !== undefined || only !== undefined ? ['string'] : ['any']
}

function typeFaults({ old, current, direction }: Directed): readonly string[] {
  const [former, now] = [typesOf(old), typesOf(current)]
  const [given, taken] = direction === 'request' ? [former, now] : [now, former]
  const fits = (type: string): boolean => taken.includes('any') || taken.includes(type) || (type === 'integer' && taken.includes('number'))
  return given.every(fits) ? [] : [`its type was ${former.join(' or ')} and is ${now.join(' or ')}`]
}

function valueFaults({ old, current, direction }: Directed): readonly string[] {
  const [former, now] = [valuesOf(old), valuesOf(current)]
  if (!former && !now) return []
  if (!former) return direction === 'request' ? ['it became a closed list'] : []
  if (!now) return direction === 'request' ? [] : ['it is no closed list any more']
  const removed = former.filter((value) => !now.includes(value)).map((value) => `the value ${value} was removed`)
  const added = now.filter((value) => !former.includes(value)).map((value) => `the value ${value} was added`)
  return direction === 'event' ? [...removed, ...added] : removed
}

function valuesOf({ enum: values, const: only }: Schema): readonly string[] | null {
  const all = values ?? (only === undefined ? null : [only])
  return all?.map((value) => JSON.stringify(value)) ?? null
}

const leasts = ['minLength', 'minimum', 'minItems'] as const
const mosts = ['maxLength', 'maximum', 'maxItems'] as const

function limitFaults({ old, current, direction }: Directed): readonly string[] {
  if (direction !== 'request')
    return old.format !== undefined && old.format !== current.format ? [`its format ${old.format} was changed`] : []
  const narrower = [
    ...leasts.filter((name) => (current[name] ?? -Infinity) > (old[name] ?? -Infinity)),
    ...mosts.filter((name) => (current[name] ?? Infinity) < (old[name] ?? Infinity)),
    ...(['pattern', 'format'] as const).filter((name) => current[name] !== undefined && current[name] !== old[name]),
  ]
  const closed = old.additionalProperties !== false && current.additionalProperties === false ? ['further fields are refused'] : []
  return [...narrower.map((name) => `its ${name} became narrower`), ...closed]
}

function propertyChanges({ old, current, at }: Placed, comparison: Comparison): readonly JsonChange[] {
  const isRequest = comparison.direction === 'request'
  const lost = isRequest ? [] : old.required.filter((name) => !current.required.includes(name) && name in current.properties)
  const demanded = isRequest ? current.required.filter((name) => !old.required.includes(name)) : []
  return [
    ...Object.entries(old.properties).flatMap(([name, before]): readonly JsonChange[] => {
      const place = [...at, name]
      if (!(name in current.properties)) return [{ at: place, what: 'it was removed' }]
      return jsonSchemaChanges({ before, after: current.properties[name], at: place }, comparison)
    }),
    ...lost.map((name) => ({ at: [...at, name], what: 'it may be missing' })),
    ...demanded.map((name) => ({ at: [...at, name], what: 'it is required' })),
  ]
}

function itemChanges({ old, current, at }: Placed, comparison: Comparison): readonly JsonChange[] {
  const areLists = [old, current].every((schema) => typesOf(schema).includes('array'))
  return areLists ? jsonSchemaChanges({ before: old.items, after: current.items, at }, comparison) : []
}

/** Branches of a union are the same if they have the same name, or the same fields. */
function branchChanges({ old, current, at }: Placed, comparison: Comparison): readonly JsonChange[] {
  const [former, now] = [branchesOf(old), branchesOf(current)]
  if (!old.anyOf || !current.anyOf) return []
  const byName = new Map(now.map((branch) => [branchName(branch), branch]))
  const removed = former.filter((branch) => !byName.has(branchName(branch)))
  const formerNames = new Set(former.map(branchName))
  const added = comparison.direction === 'event' ? [...byName.keys()].filter((name) => !formerNames.has(name)) : []
  return [
    ...removed.map((branch) => ({ at, what: `its form ${branchName(branch)} was removed` })),
    ...added.map((name) => ({ at, what: `its form ${name} was added` })),
    ...former.flatMap((before) =>
      byName.has(branchName(before)) ? jsonSchemaChanges({ before, after: byName.get(branchName(before)), at }, comparison) : [],
    ),
  ]
}

function branchName(branch: unknown): string {
  const { $ref, properties, type } = schemaSchema.parse(branch)
  return $ref?.split('/').at(-1) ?? (Object.keys(properties).join(', ') || [type ?? 'any'].flat().join(' or '))
}
