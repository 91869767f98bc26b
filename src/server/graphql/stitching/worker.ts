import { parentPort, workerData } from 'node:worker_threads'
import { createGraphQLError, type ExecutionResult, type Executor } from '@graphql-tools/utils'
import {
  type DocumentNode,
  execute,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  subscribe,
  validate,
} from 'graphql'
import { z } from 'zod'
import { finishResult } from './finish-result.ts'
import type { FromWorker, StitchedOperation, ToWorker, WorkerSettings } from './messages.ts'
import { type CallerContext, createPlatformExecutor } from './platform-executor.ts'
import { createSchemaCache, type SchemaAsk, SchemaUnavailable } from './schema-cache.ts'

/**
 * The thread of the stitched schemas: building one takes a third of a second and tens of megabytes, which must not stop the service.
 * It speaks to the platform itself, each time with the token of the operation at hand; our own part of an operation goes back to the
 * service, where the resolvers are.
 */
type Context = CallerContext & { readonly id: number }

const settings = readSettings(workerData)
const controllers = new Map<number, AbortController>()
const localCalls = new Map<number, (answer: string) => void>()
let lastCall = 0

function post(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

const localExecutor: Executor<Context> = ({ document, variables, context }) =>
  new Promise<ExecutionResult>((resolve) => {
    if (!context) throw new TypeError('A local operation without its request')
    lastCall += 1
    localCalls.set(lastCall, (answer) => resolve(readLocalAnswer(answer)))
    post({ type: 'local', id: context.id, call: lastCall, source: print(document), variables: variables ?? {} })
  })

const cache = createSchemaCache({
  settings,
  platformExecutor: createPlatformExecutor(settings),
  localExecutor,
  onBuilt: (workspaceId, figures) => post({ type: 'built', workspaceId, figures }),
})

async function run(id: number, operation: StitchedOperation): Promise<void> {
  const controller = new AbortController()
  controllers.set(id, controller)
  const { accessToken, requestId } = operation
  const context: Context = { id, accessToken, requestId, signal: controller.signal, wholeErrors: new Map(), faults: new Set() }
  try {
    await runWith(operation, context)
  } catch (error) {
    const known = error instanceof SchemaUnavailable
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    post({ type: 'failed', id, reason: known ? error.reason : 'UNKNOWN', detail: known ? error.message : '', cause })
  } finally {
    controllers.delete(id)
  }
}

async function runWith(asked: StitchedOperation, context: Context): Promise<void> {
  const ask: SchemaAsk = { workspaceId: asked.workspaceId, caller: context, extensions: asked.extensions }
  const document = parse(asked.source)
  const { schema, errors } = await validated(document, ask)
  const operation = getOperationAST(document, asked.operationName)
  if (errors.length > 0 || !operation) {
    const shown = operation ? errors : [createGraphQLError('There is no such operation in the document')]
    return answer(context, { errors: shown.map((error) => ({ ...error.toJSON(), extensions: inputFault(context) })) }, { executed: false })
  }
  const args = {
    schema,
    document,
    contextValue: context,
    ...(asked.variables && { variableValues: asked.variables }),
    ...(asked.operationName !== null && { operationName: asked.operationName }),
  }
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return finish(await execute(args), { document, operation, context })
  const stream = await subscribe(args)
  if (!(Symbol.asyncIterator in stream)) return finish(stream, { document, operation, context })
  context.signal.addEventListener('abort', () => void stream.return(undefined), { once: true })
  for await (const result of stream) {
    answer(context, finishResult(result, { document, operation, requestId: context.requestId }, context.wholeErrors), { more: true })
  }
  post({ type: 'end', id: context.id })
}

/** Validates against the schema at hand; where that knows a field not, against the workspace's schema as it is now. */
async function validated(document: DocumentNode, ask: SchemaAsk): Promise<{ schema: GraphQLSchema; errors: readonly GraphQLError[] }> {
  const schema = await cache.take(ask)
  const errors = validate(schema, document)
  if (errors.length === 0) return { schema, errors }
  const newer = await cache.reread(ask).catch(() => null)
  return newer ? { schema: newer, errors: validate(newer, document) } : { schema, errors }
}

type Executed = { readonly document: DocumentNode; readonly operation: OperationDefinitionNode; readonly context: Context }

function finish(result: ExecutionResult, { document, operation, context }: Executed): void {
  const finished = finishResult(result, { document, operation, requestId: context.requestId }, context.wholeErrors)
  answer(context, finished, { executed: 'data' in finished })
}

function answer(context: Context, result: object, { executed = true, more = false }: { executed?: boolean; more?: boolean }): void {
  const body = new TextEncoder().encode(JSON.stringify(result))
  post({ type: 'answer', id: context.id, body, executed, more, faults: [...context.faults] }, [body.buffer])
  context.faults.clear()
}

function inputFault({ requestId }: Context): Record<string, unknown> {
  return { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', retryable: false, requestId }
}

const localAnswerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path: z.array(z.union([z.string(), z.number()])).optional(),
        extensions: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
})

function readLocalAnswer(text: string): ExecutionResult {
  const { data, errors } = localAnswerSchema.parse(JSON.parse(text))
  return {
    ...(data !== undefined && { data }),
    ...(errors && {
      errors: errors.map(
        ({ message, path, extensions }) => new GraphQLError(message, { ...(path && { path }), ...(extensions && { extensions }) }),
      ),
    }),
  }
}

function readSettings(value: unknown): WorkerSettings {
  const wholeNumber = z.number().positive()
  return z
    .object({
      endpoint: z.url(),
      contract: z.string(),
      maxSchemas: wholeNumber,
      refreshMs: wholeNumber,
      rereadMs: z.number().nonnegative(),
      deadlineMs: wholeNumber,
    })
    .parse(value)
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'execute') void run(message.id, message)
  else if (message.type === 'abort') controllers.get(message.id)?.abort()
  else {
    localCalls.get(message.call)?.(message.answer)
    localCalls.delete(message.call)
  }
})
