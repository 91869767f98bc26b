import {
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  validate,
} from 'graphql'
import { type BoundArgument, bindArguments, wholeBody } from './bound-argument.ts'
import type { Row } from './row.ts'

/** A row that has been held against the schema: everything that a request needs to be answered. */
export type BoundRow = Row & {
  readonly operationName: string
  readonly definition: OperationDefinitionNode
  /** The operation's one root field, as selected and as the schema has it. */
  readonly selection: FieldNode
  readonly field: GraphQLField<unknown, unknown>
  readonly bound: readonly BoundArgument[]
}

/** Holds every row against the schema; throws one error that names all faults of the table. */
export function bindTable(rows: readonly Row[], schema: GraphQLSchema): readonly BoundRow[] {
  const attempts = rows.map((row) => ({ row, ...bindRow(row, schema) }))
  const faults = [
    ...attempts.flatMap(({ row, faults: own }) => own.map((fault) => `${row.method} ${row.path}: ${fault}`)),
    ...repeatedPaths(rows),
  ]
  if (faults.length > 0) throw new Error(`The REST table is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  return attempts.flatMap(({ result }) => result ?? [])
}

type Attempt = { readonly faults: readonly string[]; readonly result?: BoundRow }

function bindRow(row: Row, schema: GraphQLSchema): Attempt {
  const invalid = validate(schema, row.operation)
  if (invalid.length > 0) return { faults: invalid.map(({ message }) => message) }
  const definition = row.operation.definitions.find((candidate) => candidate.kind === Kind.OPERATION_DEFINITION)
  const [selection, ...others] = definition?.selectionSet.selections ?? []
  if (!definition?.name || selection?.kind !== Kind.FIELD || others.length > 0) {
    return { faults: ['its operation must have a name and exactly one root field'] }
  }
  const field = schema.getRootType(definition.operation)?.getFields()[selection.name.value]
  if (!field) return { faults: [`${selection.name.value} is no field of ours`] }
  const { faults, bound } = bindArguments(row, definition, schema)
  const result = { ...row, operationName: definition.name.value, definition, selection, field, bound }
  return { faults: [...faults, ...bodyFaults(result), ...pathFaults(result)], result }
}

function bodyFaults({ method, definition, bound }: BoundRow): readonly string[] {
  const fromBody = bound.filter(({ from }) => from.in === 'body')
  const objects = bound.filter(({ from, type }) => from.in !== 'body' && isInputObjectType(getNamedType(type)))
  return [
    ...(method === 'GET' && definition.operation !== OperationTypeNode.QUERY ? ['GET must run a query'] : []),
    ...(method === 'GET' && fromBody.length > 0 ? ['GET takes no body'] : []),
    ...(fromBody.length > 1 && fromBody.some(({ from }) => from.name === wholeBody) ? ['the whole body goes to one argument'] : []),
    ...objects.map(({ variable }) => `$${variable} is an object: only the body can give it`),
  ]
}

function pathFaults({ path, bound }: BoundRow): readonly string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const used = bound.filter(({ from }) => from.in === 'path').map(({ from }) => from.name)
  return [
    ...used.filter((name) => !inPath.includes(name)).map((name) => `its path has no {${name}}`),
    ...inPath.filter((name) => !used.includes(name)).map((name) => `{${name}} goes to no argument`),
  ]
}

/** The same request twice, or paths that differ only in how they name a parameter. */
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
      ...(isRepeated ? [`${request}: stands in the table twice`] : []),
      ...(first === path ? [] : [`${request}: names its parameters otherwise than ${first}`]),
    ]
  })
}
