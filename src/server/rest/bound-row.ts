import { getDirective } from '@graphql-tools/utils'
import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLSchema,
  isInputObjectType,
  OperationTypeNode,
  validate,
} from 'graphql'
import { argumentsOf, type BoundArgument, bindArguments, wholeBody } from './bound-argument.ts'
import { deriveDocument } from './document.ts'
import type { Row } from './row.ts'

/** A row that has been checked against the schema: everything that a request needs to be answered. */
export type BoundRow = Row & {
  readonly operationName: string
  readonly document: DocumentNode
  /** The operation's one root field, as selected and as the schema has it. */
  readonly selection: FieldNode
  readonly field: GraphQLField<unknown, unknown>
  readonly bound: readonly BoundArgument[]
  /** False for a public field. */
  readonly needsToken: boolean
}

/** Checks every row against the schema, and its document. Throws one error that names all faults of the table. */
export function bindTable(rows: readonly Row[], schema: GraphQLSchema): readonly BoundRow[] {
  return bindAll(rows, schema, (document) => validate(schema, document).map(({ message }) => message))
}

/** The same for the table of this service, whose documents the tests validate: a start need not do it again. */
export function bindCheckedTable(rows: readonly Row[], schema: GraphQLSchema): readonly BoundRow[] {
  return bindAll(rows, schema, () => [])
}

type FaultsOf = (document: DocumentNode) => readonly string[]

function bindAll(rows: readonly Row[], schema: GraphQLSchema, faultsOf: FaultsOf): readonly BoundRow[] {
  const attempts = rows.map((row) => ({ row, ...bindRow(row, schema) }))
  const faults = [
    ...attempts.flatMap(({ row, faults: own, result }) =>
      [...own, ...(result ? faultsOf(result.document) : [])].map((fault) => `${row.method} ${row.path}: ${fault}`),
    ),
    ...repeatedPaths(rows),
    ...repeatedNames(rows),
  ]
  if (faults.length > 0) throw new Error(`The REST table is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  return attempts.flatMap(({ result }) => result ?? [])
}

type Attempt = { readonly faults: readonly string[]; readonly result?: BoundRow }

function bindRow(row: Row, schema: GraphQLSchema): Attempt {
  const root = schema.getRootType(row.kind === 'query' ? OperationTypeNode.QUERY : OperationTypeNode.MUTATION)
  const field = root?.getFields()[row.rootField]
  if (!field) return { faults: [`the schema has no ${row.kind} field ${row.rootField}`] }
  const { faults, bound, conditions } = bindArguments(row, field)
  const used = new Set([...bound.map(({ variable }) => variable), ...Object.keys(row.constants)])
  const argumentNames = [...argumentsOf(field).keys()].filter((name) => used.has(name))
  const own = [...faults, ...bodyFaults(row, bound), ...pathFaults(row, bound)]
  if (own.length > 0) return { faults: own }
  const operationName = `${row.name[0]?.toUpperCase() ?? ''}${row.name.slice(1)}`
  const derived = deriveDocument({ kind: row.kind, rootField: row.rootField, operationName, argumentNames, conditions }, schema)
  const needsToken = getDirective(schema, field, 'auth') !== undefined
  return { faults: [], result: { ...row, ...derived, operationName, field, bound, needsToken } }
}

function bodyFaults({ method, kind }: Row, bound: readonly BoundArgument[]): readonly string[] {
  const fromBody = bound.filter(({ from }) => from.in === 'body')
  const objects = bound.filter(({ from, type }) => from.in !== 'body' && isInputObjectType(getNamedType(type)))
  return [
    ...(method === 'GET' && kind !== 'query' ? ['GET must run a query'] : []),
    ...(method === 'GET' && fromBody.length > 0 ? ['GET takes no body'] : []),
    ...(fromBody.length > 1 && fromBody.some(({ from }) => from.name === wholeBody) ? ['the whole body goes to one argument'] : []),
    ...objects.map(({ variable }) => `${variable} is an object: only the body can give it`),
  ]
}

function pathFaults({ path }: Row, bound: readonly BoundArgument[]): readonly string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const used = bound.filter(({ from }) => from.in === 'path').map(({ from }) => from.name)
  return [
    ...used.filter((name) => !inPath.includes(name)).map((name) => `its path has no {${name}}`),
    ...inPath.filter((name) => !used.includes(name)).map((name) => `{${name}} goes to no argument`),
  ]
}

/** The same request twice, and paths that differ only in how they name a parameter. */
function repeatedPaths(rows: readonly Row[]): readonly string[] {
  const firstPathOf = new Map<string, string>()
  const requests = new Set<string>()
  return rows.flatMap(({ method, path }) => {
    const shape = path.replaceAll(/\{\w+\}/g, '{}')
    const first = firstPathOf.get(shape) ?? path
    firstPathOf.set(shape, first)
    const request = `${method} ${path}`
    const isRepeated = requests.has(request)
    requests.add(request)
    return [
      ...(isRepeated ? [`${request}: is in the table twice`] : []),
      ...(first === path ? [] : [`${request}: names its parameters differently from ${first}`]),
    ]
  })
}

function repeatedNames(rows: readonly Row[]): readonly string[] {
  const byName = Map.groupBy(rows, ({ name }) => name)
  return [...byName]
    .filter(([, same]) => same.length > 1)
    .map(([name, same]) => `${same.map(({ method, path }) => `${method} ${path}`).join(', ')}: have the same name ${name}`)
}
