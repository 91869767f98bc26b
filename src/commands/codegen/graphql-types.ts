import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql'
import { readContract } from '../../server/graphql/local-schema.ts'
import { comment, member, union } from './json-schema-types.ts'

const scalars: Readonly<Record<string, string>> = { ID: 'string', String: 'string', Int: 'number', Float: 'number', Boolean: 'boolean' }
/** Scalars of the contract that are texts; the others are objects. */
const texts: ReadonlySet<string> = new Set(['DateTime', 'ConnectionCursor'])
const roots: Readonly<Record<string, string>> = { Query: 'query', Mutation: 'mutation', Subscription: 'subscription' }

/** A plugin of graphql-codegen: the schema's types, and the types of arguments as data, because a document must name them. */
export function plugin(): string {
  const types = Object.values(buildSchema(readContract()).getTypeMap()).filter(isOwn)
  const fields = types.flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()).map((field) => ({ type, field })) : []))
  const withArguments = fields.filter(({ field }) => field.args.length > 0)
  return [
    '// Made from schema/*.graphql by `npm run codegen`.\n',
    ...types.toSorted((a, b) => a.name.localeCompare(b.name)).map(declaration),
    '/** The arguments of fields, by type and field. */\nexport interface FieldArguments {\n',
    ...withArguments.map(({ type, field }) => argumentsMember(type.name, field)),
    '}\n\n',
    '/** The GraphQL types of arguments: those of root fields by operation, those of all other fields under `nested`. */\n',
    `export const argumentTypes: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = ${JSON.stringify(argumentTypes(withArguments))}\n`,
  ].join('')
}

/** Directives are for the server, and so are the types that only they use. */
function isOwn(type: GraphQLNamedType): boolean {
  return !isIntrospectionType(type) && !isSpecifiedScalarType(type) && type.name !== 'TextForm'
}

function declaration(type: GraphQLNamedType): string {
  const head = comment(type.description, '')
  if (isScalarType(type))
    return `${head}export type ${type.name} = ${texts.has(type.name) ? 'string' : 'Readonly<Record<string, unknown>>'}\n\n`
  if (isUnionType(type)) return `${head}export type ${type.name} = ${union(type.getTypes().map(({ name }) => name))}\n\n`
  if (isEnumType(type)) {
    const values = type.getValues()
    const meanings = values.map(({ name, description }) => `- \`${name}\`: ${(description ?? '').replaceAll('\n', ' ')}`)
    const text = [type.description ?? '', '', ...meanings].join('\n')
    return `${comment(text, '')}export type ${type.name} = ${values.map(({ name }) => `'${name}'`).join(' | ')}\n\n`
  }
  if (isInputObjectType(type))
    return `${head}export interface ${type.name} {\n${Object.values(type.getFields()).map(inputMember).join('')}}\n\n`
  if (!isObjectType(type)) throw new TypeError(`${type.name}: the client's types know no interfaces`)
  const members = Object.values(type.getFields()).map((field) =>
    member({ name: field.name, type: outputType(field.type), isOptional: false, description: withNote(field) }, ''),
  )
  return `${head}export interface ${type.name} {\n  readonly __typename: '${type.name}'\n${members.join('')}}\n\n`
}

function withNote({ description, deprecationReason }: GraphQLField<unknown, unknown> | GraphQLInputField): string {
  return [description ?? '', ...(deprecationReason ? [`@deprecated ${deprecationReason}`] : [])].join('\n')
}

function inputMember(field: GraphQLInputField | GraphQLArgument): string {
  const isOptional = !isNonNullType(field.type) || field.defaultValue !== undefined
  const text = field.defaultValue === undefined ? '' : `\nDefault: ${JSON.stringify(field.defaultValue)}.`
  return member({ name: field.name, type: outputType(field.type), isOptional, description: `${withNote(field)}${text}` }, '')
}

function outputType(type: GraphQLType): string {
  if (!isNonNullType(type)) return `${required(type)} | null`
  return required(type.ofType)
}

function required(type: Exclude<GraphQLType, { kind: 'NonNull' }>): string {
  if (isListType(type)) {
    const item = outputType(type.ofType)
    return `readonly ${item.includes('|') ? `(${item})` : item}[]`
  }
  return 'name' in type ? (scalars[type.name] ?? type.name) : outputType(type)
}

function argumentsMember(typeName: string, field: GraphQLField<unknown, unknown>): string {
  const members = field.args.map((argument) => inputMember(argument).replaceAll(/^(?=.)/gm, '  '))
  return `  readonly '${typeName}.${field.name}': {\n${members.join('')}  }\n`
}

type FieldOf = { readonly type: GraphQLNamedType; readonly field: GraphQLField<unknown, unknown> }

/** A selection names no types, so fields below the root that have the same name must have the same arguments. */
function argumentTypes(fields: readonly FieldOf[]): Readonly<Record<string, Record<string, Readonly<Record<string, string>>>>> {
  const table: Record<string, Record<string, Readonly<Record<string, string>>>> = { query: {}, mutation: {}, subscription: {}, nested: {} }
  for (const { type, field } of fields) {
    const group = (table[roots[type.name] ?? 'nested'] ??= {})
    const own = Object.fromEntries(field.args.map((argument) => [argument.name, String(argument.type)]))
    const other = group[field.name]
    if (other && JSON.stringify(other) !== JSON.stringify(own))
      throw new TypeError(`${type.name}.${field.name}: another field of this name has other arguments`)
    group[field.name] = own
  }
  return table
}
