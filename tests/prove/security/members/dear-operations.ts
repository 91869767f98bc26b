import {
  buildSchema,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
} from 'graphql'
import { valueOf, type Variables } from '../../../../src/server/graphql/cost/cost.ts'
import { mostCost } from '../../../../src/server/graphql/cost/cost-rule.ts'
import { operationCost } from '../../../../src/server/graphql/cost/operation-cost.ts'
import { limitOf } from '../../../../src/server/graphql/input-limits/input-limit.ts'
import { textForms } from '../../../../src/server/graphql/input-limits/text-forms.ts'
import { readContract } from '../../../../src/server/graphql/local-schema.ts'
import { fragmentsOf } from '../../../../src/server/graphql/root-selections.ts'

/** The dearest operation of one shape that the service accepts for a root field. */
export type DearOperation = {
  readonly field: string
  readonly kind: 'query' | 'mutation' | 'subscription'
  /** How it is dear: by all that it shows, by its aliases, or by equal IDs. */
  readonly shape: string
  readonly query: string
  readonly variables: Variables
  readonly cost: number
  readonly aliases: number
}

/** What the arguments may name. */
export type Known = { readonly callIds: readonly string[]; readonly agentId: string; readonly from: string; readonly to: string }

type Field = GraphQLField<unknown, unknown>
const mostAliases = 60

const schema = buildSchema(readContract())
const roots = [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['subscription', schema.getSubscriptionType()],
] as const

/** For every root field of the contract. */
export function dearOperations(known: Known): readonly DearOperation[] {
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).flatMap((field) => shapesOf(field).map((shape) => dearest({ kind, field, shape, known }))),
  )
}

const shapes = ['everything', 'aliases', 'equal IDs'] as const
type Shape = (typeof shapes)[number]

function shapesOf({ args }: Field): readonly Shape[] {
  return args.some(({ type }) => isListType(getNullableType(type))) ? shapes : ['everything', 'aliases']
}

type Wanted = { readonly kind: DearOperation['kind']; readonly field: Field; readonly shape: Shape; readonly known: Known }

function dearest(wanted: Wanted): DearOperation {
  const most = wanted.kind === 'subscription' ? 1 : mostAliases
  const fits = (aliases: number, rows: number): boolean => operationOf(wanted, { aliases, rows }).cost <= mostCost
  const rows = greatest(1, mostRows(wanted.field), (number) => fits(1, number))
  return operationOf(wanted, { aliases: greatest(1, most, (number) => fits(number, rows)), rows })
}

function mostRows({ args }: Field): number {
  return Math.max(
    1,
    ...args.map(({ name, astNode }) => limitOf(astNode)?.maxItems ?? (name === 'first' ? limitOf(astNode)?.maximum : 0) ?? 0),
  )
}

/** The greatest number of a range that fits; the least one if none does. */
function greatest(least: number, most: number, fits: (number: number) => boolean): number {
  let [low, high] = [least, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function operationOf({ kind, field, shape, known }: Wanted, { aliases, rows }: { aliases: number; rows: number }): DearOperation {
  const given = field.args.flatMap((argument) => {
    const value = valueFor(argument, { rows, isEqual: shape === 'equal IDs', known })
    return value === undefined ? [] : [{ argument, value }]
  })
  const uses = given.map(({ argument: { name } }) => `${name}: $${name}`).join(', ')
  const defined = given.map(({ argument: { name, type } }) => `$${name}: ${String(type)}`).join(', ')
  const type = getNamedType(field.type)
  const selected = isLeafType(type) ? '' : ' { ...F }'
  const fragment = isLeafType(type)
    ? ''
    : ` fragment F on ${type.name} ${shape === 'everything' ? everythingOf(type, 7) : '{ __typename }'}`
  const one = `${field.name}${uses === '' ? '' : `(${uses})`}${selected}`
  const all = Array.from({ length: aliases }, (_, index) => `a${index}: ${one}`).join(' ')
  const query = `${kind}${defined === '' ? '' : `(${defined})`} { ${aliases === 1 ? one : all} }${fragment}`
  const variables = Object.fromEntries(given.map(({ argument: { name }, value }) => [name, value]))
  return { field: field.name, kind, shape, query, variables, aliases, cost: costOf(query, variables) }
}

function costOf(query: string, variables: Variables): number {
  const document = parse(query)
  const [operation] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError('The document must begin with its operation')
  return valueOf(operationCost(operation, { schema, fragments: fragmentsOf(document) }), variables)
}

/** Everything that can be selected, to a depth at which types that contain themselves end. Nested pages are as large as they may be. */
function everythingOf(type: GraphQLNamedType, depth: number): string {
  if (isUnionType(type))
    return `{ ${type
      .getTypes()
      .map((one) => `... on ${one.name} ${everythingOf(one, depth - 1)}`)
      .join(' ')} }`
  if (!isObjectType(type)) return '{ __typename }'
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type)
    if (isLeafType(inner)) return [field.name]
    if (depth === 0) return []
    const first = field.args.find(({ name }) => name === 'first')
    return [`${field.name}${first ? `(first: ${limitOf(first.astNode)?.maximum ?? 1})` : ''} ${everythingOf(inner, depth - 1)}`]
  })
  return `{ ${fields.length === 0 ? '__typename' : fields.join(' ')} }`
}

type Values = { readonly rows: number; readonly isEqual: boolean; readonly known: Known }

/** A value that is valid, and as long as it may be; undefined for an argument that may be left out. */
function valueFor({ name, type, astNode }: GraphQLArgument, { rows, isEqual, known }: Values): unknown {
  const named = getNullableType(type)
  if (isListType(named)) {
    const ids = known.callIds.slice(0, isEqual ? 1 : rows)
    const entries = Array.from({ length: Math.min(rows, limitOf(astNode)?.maxItems ?? rows) }, (_, index) => ids[index % ids.length] ?? '')
    return isInputObjectType(getNamedType(named)) ? entries.map((id) => ({ id, summary: 'A summary that the record has.' })) : entries
  }
  if (name === 'first') return rows
  if (name === 'from' || name === 'to') return getNamedType(type).name === 'DateTime' ? `${known[name]}T00:00:00.000Z` : known[name]
  if (name === 'agentId' && isNonNullType(type)) return known.agentId
  if (name === 'date') return known.to
  return isNonNullType(type) ? requiredValue(type, { name, astNode, known }) : undefined
}

type Required = { readonly name: string; readonly astNode: GraphQLArgument['astNode']; readonly known: Known }

function requiredValue(type: GraphQLInputType, { name, astNode, known }: Required): unknown {
  const named = getNullableType(type)
  if (isEnumType(named)) return named.getValues()[0]?.name
  if (isListType(named)) return [requiredValue(named.ofType, { name, astNode, known })]
  if (isInputObjectType(named)) {
    const fields = Object.values(named.getFields())
    const needed = named.isOneOf ? fields.slice(0, 1) : fields.filter((field) => isNonNullType(field.type) || field.name === 'callId')
    return Object.fromEntries(
      needed.map((field) => [field.name, requiredValue(field.type, { name: field.name, astNode: field.astNode, known })]),
    )
  }
  if (named.name === 'Boolean') return true
  if (named.name === 'Int' || named.name === 'Float') return 1
  if (named.name === 'DateTime') return `${known.to}T00:00:00.000Z`
  if (named.name === 'ConfigurationDocument') return {}
  return textFor(name, { astNode, known })
}

function textFor(name: string, { astNode, known }: Pick<Required, 'astNode' | 'known'>): string {
  const limit = limitOf(astNode)
  if (name === 'phoneNumber' || name === 'destination') return '+919845012345'
  if (limit?.form === textForms.EMAIL) return 'nobody@demo.example'
  if (limit?.form === textForms.HTTP_URL) return 'https://www.hospital.example'
  if (limit?.form === textForms.DNS_LABEL) return 'demo'
  return name.toLowerCase().endsWith('id') || limit?.form === textForms.UUID ? (known.callIds[0] ?? '') : 'a text'
}
