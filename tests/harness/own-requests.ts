import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { buildSchema, getOperationAST, getVariableValues, type GraphQLSchema, Kind, parse, validate } from 'graphql'
import { z } from 'zod'
import { metadataSchema } from '../../src/sandbox/platform/metadata-schema.ts'
import type { ReceivedAnswer } from '../../src/sandbox/stand-in.ts'

/** What the service itself has sent the platform in this test file; `found` is cleared after each test. */
const found: string[] = []
export const ownRequests = { checked: 0, documents: new Set<string>(), found }

const coreFile = new URL('../fixtures/platform/recorded/core.graphql.gz', import.meta.url)
let core: GraphQLSchema | undefined
const schemaOf = (path: string): GraphQLSchema => {
  if (path === '/metadata') return metadataSchema()
  return (core ??= buildSchema(gunzipSync(readFileSync(coreFile)).toString('utf8'), { assumeValid: true }))
}

const bodySchema = z.strictObject({ query: z.string(), variables: z.record(z.string(), z.unknown()) })

/** Checks one answer of a stand-in. What a client's own document does, forwarded or stitched, is the client's. */
export const checkOwnRequest = (message: unknown): void => {
  const { standIn, request, answer } = receivedAnswer(message)
  if (standIn !== 'platform' || request.method !== 'POST' || !isOwn(request.headers)) return
  const body = bodySchema.safeParse(JSON.parse(request.body.toString('utf8'))).data
  if (!body) return
  ownRequests.checked += 1
  ownRequests.documents.add(`${request.path} ${body.query}`)
  const faults = [...faultsOf(schemaOf(request.path), body), ...refusalsOf(answer.body)]
  for (const fault of faults) found.push(`${fault}\n  in ${body.query.trim()}\n  with ${JSON.stringify(body.variables).slice(0, 1_000)}`)
}

function receivedAnswer(message: unknown): ReceivedAnswer {
  if (isReceivedAnswer(message)) return message
  throw new TypeError('no answer of a stand-in')
}

function isReceivedAnswer(message: unknown): message is ReceivedAnswer {
  return typeof message === 'object' && message !== null && 'standIn' in message && 'request' in message
}

/** The service's own client sends nothing but these; the gateway adds a request id, and `fetch` a user agent. */
function isOwn(headers: ReceivedAnswer['request']['headers']): boolean {
  const others = ['x-request-id', 'user-agent', 'accept-language', 'origin', 'cookie']
  return headers.accept === 'application/json' && others.every((name) => headers[name] === undefined)
}

type Body = z.output<typeof bodySchema>

function faultsOf(schema: GraphQLSchema, { query, variables }: Body): readonly string[] {
  const { operation, isChecked, errors } = documentOf(schema, query)
  if (!operation) return ['names no operation']
  if (!isChecked) return []
  const given = getVariableValues(schema, operation.variableDefinitions ?? [], variables).errors ?? []
  return [...errors, ...given].map(({ message }) => message).filter((message) => !ofOwnField.test(message))
}

type Checked = {
  readonly operation: ReturnType<typeof getOperationAST>
  readonly isChecked: boolean
  readonly errors: readonly { readonly message: string }[]
}

/** By endpoint and text: the service sends the same few hundred documents again and again. */
const checkedDocuments = new Map<string, Checked>()
const mostDocuments = 2_000

function documentOf(schema: GraphQLSchema, query: string): Checked {
  const key = `${schema === core ? 'core' : 'metadata'} ${query}`
  const known = checkedDocuments.get(key)
  if (known) return known
  const document = parse(query)
  const isChecked = schema !== core || asksKnownRecords(schema, document)
  const checked = { operation: getOperationAST(document), isChecked, errors: isChecked ? validate(schema, document) : [] }
  if (checkedDocuments.size >= mostDocuments) checkedDocuments.clear()
  checkedDocuments.set(key, checked)
  return checked
}

/** Fields and choices of the call center's objects, which each workspace provisions as it likes; the stand-in checks them by its data model. */
const ofOwnField = /"(Agent|Lead|Call|Doctor|VisitSlot)(((Filter|OrderBy|Create|Update)Input)?" *[.?]|\w*Enum")/

/** A workspace may have other names for the call center's objects. */
function asksKnownRecords(schema: GraphQLSchema, document: ReturnType<typeof parse>): boolean {
  const known = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }
  return document.definitions.every(
    (definition) =>
      definition.kind !== Kind.OPERATION_DEFINITION ||
      definition.selectionSet.selections.every(
        (root) => root.kind === Kind.FIELD && (root.name.value in known || root.name.value.startsWith('__')),
      ),
  )
}

const errorsSchema = z.object({
  errors: z.array(
    z.object({ message: z.string(), extensions: z.object({ code: z.string().optional(), subCode: z.string().optional() }).optional() }),
  ),
})

/** Errors that say that the request was wrong, and not that something is missing, taken or forbidden. A page's cursor is the client's; version 1.3 has no update of several custom records. */
function refusalsOf(body: unknown): readonly string[] {
  const { errors = [] } = errorsSchema.safeParse(body).data ?? {}
  return errors.flatMap(({ message, extensions }) => {
    const { code, subCode } = extensions ?? {}
    const isByRule =
      code === undefined ||
      code === 'GRAPHQL_VALIDATION_FAILED' ||
      code === 'INTERNAL_SERVER_ERROR' ||
      (code === 'BAD_USER_INPUT' && /^INVALID_(?!INPUT)/.test(subCode ?? ''))
    return isByRule && !/not found|cursor|missing FROM-clause/i.test(message) ? [`refused: ${message}`] : []
  })
}

/** Throws if the service sent something that a real server would refuse. */
export function reportOwnRequests(): void {
  const faults = found.splice(0)
  if (faults.length > 0) throw new Error(`The service sent the platform what a real server refuses:\n${faults.join('\n')}`)
}
