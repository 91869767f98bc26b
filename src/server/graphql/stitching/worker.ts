import { parentPort, workerData } from 'node:worker_threads'
import { createGraphQLError, type ExecutionResult, type Executor } from '@graphql-tools/utils'
import {
  type DocumentNode,
  execute,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  printSchema,
  subscribe,
} from 'graphql'
import { z } from 'zod'
import { collectWhenIdle } from '../../../kernel/collect-when-idle.ts'
import { loggedError } from '../../../kernel/logged-error.ts'
import { watchLoop } from '../../../kernel/loop-watch.ts'
import { requireSafeTls } from '../../../kernel/process-safety.ts'
import { maxWholeAnswerBytes } from '../invalid-answer.ts'
import { publicMessage } from '../public-message.ts'
import type { Endpoint } from '../root-selections.ts'
import { variableErrors, variableFaults } from '../variable-faults.ts'
import { finishResult } from './finish-result.ts'
import { createLocalExecutor } from './local-executor.ts'
import type { FromWorker, ModelChange, StitchedOperation, ToWorker, WorkerSettings } from './messages.ts'
import type { PlatformContext } from './platform-context.ts'
import { createPlatformExecutor } from './platform-executor.ts'
import { createRequestSpans } from './request-spans.ts'
import { SchemaUnavailable } from './introspect.ts'
import { asksOnlyForSchema, createSchemaAnswers } from './schema-answers.ts'
import { createSchemaCache, maxIntrospectionBytes } from './schema-cache.ts'
import type { TransportReason } from './transport-errors.ts'
import { createStitchedDocuments, type StitchedDocument } from './stitched-documents.ts'

/**
 * The thread of the stitched schemas. Building one takes a third of a second and tens of megabytes, which must not block the service.
 * The thread sends requests to the platform itself, with the token of the operation. It sends our own part of an operation back to the
 * service, because the resolvers are there.
 */
type Context = PlatformContext & { readonly id: number }

// Each thread has a lowest version of its own. The service has checked the environment.
requireSafeTls({})
const settings = readSettings(workerData)
const controllers = new Map<number, AbortController>()
const documents = createStitchedDocuments()
const schemaAnswers = createSchemaAnswers()

const notes: FromWorker[] = []

/** Sends the message with the next one. To wake the thread of the service takes longer than most of what it does then. */
function note(message: FromWorker): void {
  notes.push(message)
}

function post(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage([...notes.splice(0), message], transfer)
}

function executorsFor(maxAnswerBytes: number): Readonly<Record<Endpoint, Executor<PlatformContext>>> {
  const { endpoints, deadlineMs } = settings
  return {
    records: createPlatformExecutor({ endpoint: endpoints.records, deadlineMs, maxAnswerBytes }),
    metadata: createPlatformExecutor({ endpoint: endpoints.metadata, deadlineMs, maxAnswerBytes }),
  }
}

const local = createLocalExecutor((message) => post(message))
const spans = createRequestSpans((message) => post(message))

const schemas = createSchemaCache({
  settings,
  executors: executorsFor(maxWholeAnswerBytes),
  introspectors: executorsFor(maxIntrospectionBytes),
  localExecutor: local.execute,
  onTaken: (isCached) => note({ type: 'taken', isCached }),
  onBuilt: (workspaceId, figures) => post({ type: 'built', workspaceId, figures }),
})

async function run(id: number, operation: StitchedOperation & { readonly isTraced: boolean }): Promise<void> {
  const controller = new AbortController()
  controllers.set(id, controller)
  const { accessToken, requestId, isTraced } = operation
  const beginSpan = isTraced ? () => spans.begin(id) : null
  const onVerdict = (works: boolean): void => note({ type: 'verdict', id, works })
  const { signal } = controller
  const context: Context = { id, accessToken, requestId, signal, wholeErrors: new Map(), failures: new Set(), beginSpan, onVerdict }
  try {
    await runWith(operation, context)
  } catch (error) {
    const known = error instanceof SchemaUnavailable
    post({ type: 'failed', id, reason: known ? error.reason : 'UNKNOWN', detail: known ? error.message : '', cause: loggedError(error) })
  } finally {
    controllers.delete(id)
  }
}

const printed = new WeakMap<GraphQLSchema, string>()

function sdlOf(schema: GraphQLSchema): string {
  const sdl = printed.get(schema) ?? printSchema(schema)
  printed.set(schema, sdl)
  return sdl
}

async function runWith(request: StitchedOperation, context: Context): Promise<void> {
  const { workspaceId, objects, introspects } = request
  const schemaRequest = { workspaceId, platform: context, objects, introspects }
  if (request.wantsSdl) return send(context, sdlOf(await schemas.take(schemaRequest)), {})
  const read = documents.read(request.source)
  const { document } = read
  const { schema, errors } = await validated(read, schemaRequest)
  const operation = getOperationAST(document, request.operationName)
  if (errors.length > 0 || !operation) {
    const shown = operation ? errors : [createGraphQLError('There is no such operation in the document')]
    const formatted = shown.map((error) => ({
      ...error.toJSON(),
      message: publicMessage(error.message),
      extensions: invalidInput(context),
    }))
    return answer(context, { errors: formatted }, { executed: false })
  }
  const faults = variableFaults(schema, operation, request.variables ?? {})
  if (faults.length > 0) {
    const formatted = variableErrors(faults).map(({ message, data }) => ({ message, extensions: { ...invalidInput(context), data } }))
    return answer(context, { errors: formatted }, { executed: false })
  }
  const args = {
    schema,
    document: read.toExecute,
    contextValue: context,
    ...(request.variables && { variableValues: request.variables }),
    ...(request.operationName !== null && { operationName: request.operationName }),
  }
  if (asksOnlyForSchema(operation)) {
    const prepared = schemaAnswers.get(schema, request)
    if (prepared) return sendBody(context, prepared, {})
    const { data, errors } = await execute(args)
    if (!errors) return sendBody(context, schemaAnswers.add(schema, request, JSON.stringify({ data })), {})
  }
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return finish(await execute(args), { document, operation, context })
  const stream = await subscribe(args)
  if (!(Symbol.asyncIterator in stream)) return finish(stream, { document, operation, context })
  context.signal.addEventListener('abort', () => void stream.return(undefined).catch(() => undefined), { once: true })
  for await (const result of stream) {
    answer(context, finishResult(result, { document, operation, requestId: context.requestId }, context.wholeErrors), { more: true })
  }
  post({ type: 'end', id: context.id })
}

/** Validates against the cached schema. If that has errors, reads the workspace's schema again, because it may have changed. */
async function validated(
  document: StitchedDocument,
  request: Parameters<typeof schemas.take>[0],
): Promise<{ schema: GraphQLSchema; errors: readonly GraphQLError[] }> {
  const schema = await schemas.take(request)
  const errors = documents.errorsIn(schema, document)
  if (errors.length === 0) return { schema, errors }
  const newer = await schemas.reread(request).catch(() => null)
  return newer ? { schema: newer, errors: documents.errorsIn(newer, document) } : { schema, errors }
}

type Executed = { readonly document: DocumentNode; readonly operation: OperationDefinitionNode; readonly context: Context }

function finish(result: ExecutionResult, { document, operation, context }: Executed): void {
  const finished = finishResult(result, { document, operation, requestId: context.requestId }, context.wholeErrors)
  answer(context, finished, { executed: 'data' in finished })
}

type Sent = { readonly executed?: boolean; readonly more?: boolean; readonly transfer?: readonly ArrayBuffer[] }

function answer(context: Context, result: object, sent: Sent): void {
  send(context, JSON.stringify(result), sent)
}

function send(context: Context, text: string, sent: Sent): void {
  const body = new TextEncoder().encode(text)
  sendBody(context, body, { ...sent, transfer: [body.buffer] })
}

function sendBody(context: Context, body: Uint8Array, { executed = true, more = false, transfer = [] }: Sent): void {
  post({ type: 'answer', id: context.id, body, executed, more, platformFailures: [...context.failures] }, transfer)
  context.failures.clear()
  // A subscription answers for hours.
  context.wholeErrors.clear()
}

function invalidInput({ requestId }: Context): Record<string, unknown> {
  return { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', retryable: false, requestId }
}

function readSettings(value: unknown): WorkerSettings {
  const wholeNumber = z.number().positive()
  return z
    .object({
      endpoints: z.object({ records: z.url(), metadata: z.url() }),
      contract: z.string(),
      maxSchemas: wholeNumber,
      refreshMs: wholeNumber,
      rereadMs: z.number().nonnegative(),
      deadlineMs: wholeNumber,
      directory: z.string().nullable(),
    })
    .parse(value)
}

function readAgain({ workspaceId, accessToken, requestId }: ModelChange): void {
  const signal = AbortSignal.timeout(settings.deadlineMs)
  const context = { accessToken, requestId, signal, wholeErrors: new Map(), failures: new Set<TransportReason>() }
  schemas.changed(workspaceId, { ...context, beginSpan: null, onVerdict: () => {} })
}

collectWhenIdle()
const loop = watchLoop()
setInterval(() => {
  const reading = loop.read()
  if (controllers.size > 0) post({ type: 'load', reading })
}, 100)

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'execute') void run(message.id, message)
  else if (message.type === 'abort') controllers.get(message.id)?.abort()
  else if (message.type === 'modelChanged') readAgain(message)
  else if (message.type === 'traced') spans.receive(message)
  else local.receive(message)
})
