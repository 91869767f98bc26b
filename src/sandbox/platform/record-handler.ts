import {
  buildSchema,
  executeSync,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql'
import type { StandInAnswer } from '../stand-in.ts'
import type { ApiKeyLimit } from './api-key-limit.ts'
import { actorOf, type Caller, type KeyCaller, type UserCaller } from './callers.ts'
import { documentOf, validationErrors } from './documents.ts'
import { crash, permissionDenied, PlatformError, platformError } from './errors.ts'
import { documentErrorAnswer, plainAnswer, requestErrorAnswer, resultAnswer, serverAnswer, shapedError } from './graphql-answers.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import type { JsonObject } from './json.ts'
import type { RecordOperation } from './record-operations.ts'
import { relationsOf } from './record-shape.ts'
import { emptyRecordSdl } from './record-schema-parts.ts'
import { mayUse } from './roles.ts'
import { searchRecords } from './search.ts'
import { createIntrospections } from './introspections.ts'
import { operationOf, type RootSelection, rootSelections, variablesOf } from './selections.ts'
import type { LiveWorkspace, World } from './fixtures.ts'

const maxRootFields = 20

const emptySchema = buildSchema(emptyRecordSdl)

type Question = { readonly world: World; readonly caller: Caller; readonly limit: ApiKeyLimit; readonly request: GraphqlRequest }

/**
 * Answers operations on records. As on 2.21 they run straight from the document, without a schema: nothing is validated but root
 * fields and arguments. Introspection and root fields that are not records' go through a schema.
 */
export function answerRecords({ world, caller, limit, request }: Question): StandInAnswer {
  const parsed = parseRequest(world, request)
  if ('answer' in parsed) return parsed.answer
  const member = caller.kind === 'user' || caller.kind === 'apiKey' ? caller : null
  const asksRecords = member !== null && areRecords(member.workspace, parsed.roots)
  if (asksRecords && request.isParsed) {
    const refusal = world.version === '1.3' ? refusalOf({ world, request, schema: member.workspace.schema() }, parsed) : null
    return refusal ?? runRecords({ world, caller: member, limit }, parsed)
  }
  const searches = parsed.roots.some(({ name }) => name === 'search')
  return runSchema({ world, caller, request, schema: member && !searches && !asksRecords ? member.workspace.schema() : emptySchema })
}

/** Whether root fields of the workspace's records are asked for; what goes through a schema must not stand beside them. */
function areRecords(workspace: LiveWorkspace, roots: readonly RootSelection[]): boolean {
  const names = roots.map(({ name }) => name)
  const others = names.filter((name) => !workspace.operations().has(name))
  return others.length < names.length && others.every((name) => ['__typename', '__schema', '__type', 'search'].includes(name))
}

type Parsed = {
  readonly operation: OperationDefinitionNode
  readonly roots: readonly RootSelection[]
}

function parseRequest(world: World, request: GraphqlRequest): Parsed | { readonly answer: StandInAnswer } {
  try {
    const document = documentOf(request.query)
    const operation = operationOf(document, request.operationName)
    if (request.operationName === null && document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length > 1) {
      const body = 'GraphQLError: Must provide operation name when document contains multiple operations.'
      return { answer: { status: 500, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body } }
    }
    if (!operation) return { answer: serverAnswer({ errors: [{ message: 'Could not determine what operation to execute.' }] }, 400) }
    const isStandard = world.version === '1.3'
    // Version 2.21 does not apply the default values of variables.
    const variables = isStandard ? variablesOf(operation, request.variables) : request.variables
    return { operation, roots: rootSelections({ document, operation, variables, isStandard }) }
  } catch (error) {
    if (error instanceof GraphQLError) return { answer: documentErrorAnswer([error], answerOptions(world, request)) }
    throw error
  }
}

/** Version 1.3 checks operations on records and their variables against the schema. */
function refusalOf({ world, request, schema }: Omit<SchemaRun, 'caller'>, { operation }: Parsed): StandInAnswer | null {
  const faults = validationErrors({ schema, query: request.query, mayIntrospect: true })
  if (faults.length > 0) return documentErrorAnswer(faults, answerOptions(world, request))
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables)
  return errors ? requestErrorAnswer(errors) : null
}

function answerOptions(world: World, { accept }: GraphqlRequest) {
  return { hidesSuggestions: world.version !== '1.3', accept }
}

type SchemaRun = { readonly world: World; readonly caller: Caller; readonly request: GraphqlRequest; readonly schema: GraphQLSchema }

function runSchema({ world, caller, request, schema }: SchemaRun): StandInAnswer {
  const faults = validationErrors({ schema, query: request.query, mayIntrospect: caller.kind !== 'nobody' })
  if (faults.length > 0) return documentErrorAnswer(faults, answerOptions(world, request))
  if (isIntrospection(request)) {
    const faults = variableFaults(schema, request)
    return faults.length > 0
      ? plainAnswer({ errors: faults, data: {} })
      : introspections.of(schema, request, () => plainAnswer(JSON.stringify({ data: executeOn(schema, request, null).data })))
  }
  return resultAnswer(executeOn(schema, request, caller), request.accept)
}

function executeOn(schema: GraphQLSchema, { query, variables, operationName }: GraphqlRequest, caller: Caller | null) {
  return executeSync({
    schema,
    document: documentOf(query),
    rootValue: { search: searchRecords },
    contextValue: caller,
    variableValues: variables,
    operationName,
  })
}

const introspections = createIntrospections<StandInAnswer>()

/** Introspection with a token is answered like records are. */
function isIntrospection({ query }: GraphqlRequest): boolean {
  return query.includes('__schema') || query.includes('__type(')
}

function variableFaults(schema: GraphQLSchema, { query, operationName, variables }: GraphqlRequest): JsonObject[] {
  const definitions = operationOf(documentOf(query), operationName)?.variableDefinitions ?? []
  const { errors = [] } = getVariableValues(schema, definitions, variables)
  return errors.map(({ message, locations }) => ({ message, locations }))
}

type Run = { readonly world: World; readonly caller: UserCaller | KeyCaller; readonly limit: ApiKeyLimit }

function runRecords(run: Run, { operation: { operation: kind }, roots }: Parsed): StandInAnswer {
  const answer = run.world.version === '1.3' ? serverAnswer : plainAnswer
  const refused = refusedRoots(roots)
  if (refused) return answer({ data: {}, errors: [refused] })
  const data: JsonObject = {}
  const errors: JsonObject[] = []
  const operations = run.caller.workspace.operations()
  if (roots.some(({ name }) => !operations.has(name))) {
    const message = 'This query cannot be executed as a single request. Please split it into separate queries.'
    return answer({ errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] })
  }
  for (const root of roots) {
    const operation = operations.get(root.name)
    if (!operation) continue
    try {
      data[root.key] = runRoot(run, { kind, operation, root })
    } catch (error) {
      data[root.key] = null
      errors.push(shapedError(error instanceof PlatformError ? error : crash(error instanceof Error ? error.message : String(error))))
    }
  }
  return answer(errors.length === 0 ? { data } : { data, errors })
}

function refusedRoots(roots: readonly RootSelection[]): JsonObject | null {
  const refusal = (message: string): JsonObject => ({ message, extensions: { code: 'BAD_USER_INPUT' } })
  if (roots.length > maxRootFields) {
    return refusal(
      `Query too complex - Too many root resolvers requested: ${roots.length} - Maximum allowed root resolvers: ${maxRootFields}`,
    )
  }
  const names = roots.map(({ name }) => name)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  return duplicate === undefined ? null : refusal(`Duplicate root resolver: "${duplicate}"`)
}

type RootRun = { readonly kind: OperationTypeNode; readonly operation: RecordOperation; readonly root: RootSelection }

function runRoot({ caller, limit }: Run, { kind, operation, root }: RootRun): unknown {
  // Queries may stand in a mutation.
  if (operation.kind === 'mutation' && kind.toString() !== 'mutation')
    throw platformError(`Cannot query field "${root.name}" on type "${kind}".`, 'GRAPHQL_VALIDATION_FAILED')
  if (caller.kind === 'apiKey') limit.take(caller.workspace.id)
  const { object, right } = operation
  const changesMembers = object.nameSingular === 'workspaceMember' && right !== 'read'
  const isAllowed = changesMembers
    ? caller.role.canUpdateAllSettings && !root.name.startsWith('create')
    : mayUse(caller.role, right, object)
  const related = relationsOf(caller.workspace.model, object, root.parts)
  if (!isAllowed || related.some(({ target }) => !mayUse(caller.role, 'read', target))) throw permissionDenied()
  return operation.run(root, actorOf(caller))
}
