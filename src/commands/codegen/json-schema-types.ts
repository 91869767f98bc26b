/** The part of JSON Schema that our descriptions use. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** The TypeScript type of the values that fit a schema. `indent` is that of the line on which the type begins. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return union(schema.enum.map(literal))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map((choice) => typeOf(choice, indent)))
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ')
  const { type } = schema
  if (type === undefined) return 'unknown'
  if (typeof type !== 'string') return union(type.map((one) => typeOf({ ...schema, type: one }, indent)))
  if (type === 'array') return `readonly ${grouped(typeOf(schema.items ?? {}, indent))}[]`
  return type === 'object' ? objectType(schema, indent) : (scalars[type] ?? 'unknown')
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const members = Object.entries(properties).map(([name, property]) =>
    member(
      { name, type: typeOf(property, `${indent}  `), isOptional: !required.includes(name), description: property.description },
      indent,
    ),
  )
  if (members.length > 0) return `{\n${members.join('')}${indent}}`
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
  return `Readonly<Record<string, ${additionalProperties === false ? 'never' : values}>>`
}

export type Member = {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly description?: string | null | undefined
}

/** One property of an interface with its comment, as lines. */
export function member({ name, type, isOptional, description }: Member, indent: string): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
  return `${comment(description, `${indent}  `)}${indent}  readonly ${key}${isOptional ? '?' : ''}: ${type}\n`
}

/** The description as a JSDoc comment, or nothing. */
export function comment(description: string | null | undefined, indent: string): string {
  if (!description) return ''
  const lines = description.replaceAll('*/', '* /').trim().split('\n')
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'` : JSON.stringify(value)
}

export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function grouped(type: string): string {
  return /[|&]|^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type
}
