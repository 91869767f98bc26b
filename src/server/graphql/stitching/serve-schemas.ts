import { deadlineSignal } from '../../../kernel/deadlines.ts'
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
import { loggedError } from '../../../kernel/logged-error.ts'
import { watchLoop } from '../../../kernel/loop-watch.ts'
import { maxWholeAnswerBytes } from '../invalid-answer.ts'
import { publicMessage } from '../public-message.ts'
import type { Endpoint } from '../root-selections.ts'
import { variableErrors, variableFaults } from '../variable-faults.ts'
import { finishResult } from './finish-result.ts'
import { createLocalExecutor, type LocalExecutor } from './local-executor.ts'
import type { FromWorker, ModelChange, StitchedOperation, ToWorker, WorkerSettings } from './messages.ts'
import type { PlatformContext } from './platform-context.ts'
import { createPlatformExecutor } from './platform-executor.ts'
import { createRequestSpans, type RequestSpans } from './request-spans.ts'
import { SchemaUnavailable } from './introspect.ts'
import { asksOnlyForSchema, createSchemaAnswers, type SchemaAnswers } from './schema-answers.ts'
import { type BuiltSchemas, createBuiltSchemas, createSchemaCache, maxIntrospectionBytes, type SchemaCache } from './schema-cache.ts'
import type { TransportReason } from './transport-errors.ts'
import { createStitchedDocuments, type StitchedDocument, type StitchedDocuments } from './stitched-documents.ts'

type Context = PlatformContext & { readonly id: number }

/** What a thread knows about schemas, whatever service it was asked by. */
export type ThreadCaches = {
  readonly built: BuiltSchemas
  readonly documents: StitchedDocuments
  readonly answers: SchemaAnswers
}

export function createThreadCaches(maxSchemas: number): ThreadCaches {
  return { built: createBuiltSchemas(maxSchemas), documents: createStitchedDocuments(), answers: createSchemaAnswers() }
}

type Send = (messages: readonly FromWorker[], transfer: readonly ArrayBuffer[]) => void

/**
 * Runs the stitched operations of one service, in its thread (`worker.ts`). It sends requests to the platform itself, with the token of the
 * operation. It sends our own part of an operation back to the service, because the resolvers are there.
 */
export class SchemaServer implements Disposable {
  private readonly settings: WorkerSettings
  private readonly transport: Send
  private readonly caches: ThreadCaches
  private readonly controllers = new Map<number, AbortController>()
  private readonly notes: FromWorker[] = []
  private readonly local: LocalExecutor
  private readonly spans: RequestSpans
  private readonly executors: PlatformContext['executors']
  private readonly schemas: SchemaCache
  private readonly loop = watchLoop()
  private readonly reporting: NodeJS.Timeout

  constructor(settings: WorkerSettings, caches: ThreadCaches, transport: Send) {
    this.settings = settings
    this.transport = transport
    this.caches = caches
    this.local = createLocalExecutor((message) => this.post(message))
    this.spans = createRequestSpans((message) => this.post(message))
    this.executors = { ...this.executorsFor(maxWholeAnswerBytes), local: this.local.execute }
    this.schemas = createSchemaCache({
      settings,
      built: caches.built,
      introspectors: this.executorsFor(maxIntrospectionBytes),
      onTaken: (isCached) => this.note({ type: 'taken', isCached }),
      onBuilt: (workspaceId, figures) => this.post({ type: 'built', workspaceId, figures }),
    })
    this.reporting = setInterval(() => {
      const reading = this.loop.read()
      if (this.controllers.size > 0) this.post({ type: 'load', reading })
    }, 100)
  }

  receive(message: ToWorker): void {
    if (message.type === 'execute') void this.run(message.id, message)
    else if (message.type === 'abort') this.controllers.get(message.id)?.abort()
    else if (message.type === 'modelChanged') this.readAgain(message)
    else if (message.type === 'traced') this.spans.receive(message)
    else this.local.receive(message)
  }

  /** Aborts what runs. */
  [Symbol.dispose](): void {
    clearInterval(this.reporting)
    this.loop[Symbol.dispose]()
    for (const controller of this.controllers.values()) controller.abort()
  }

  private async run(id: number, operation: StitchedOperation & { readonly isTraced: boolean }): Promise<void> {
    const controller = new AbortController()
    this.controllers.set(id, controller)
    const { accessToken, requestId, isTraced } = operation
    const beginSpan = isTraced ? () => this.spans.begin(id) : null
    const onVerdict = (works: boolean): void => this.note({ type: 'verdict', id, works })
    const { signal } = controller
    const { executors } = this
    const noted = { wholeErrors: new Map(), failures: new Set<TransportReason>() }
    const context: Context = { id, accessToken, requestId, signal, executors, ...noted, beginSpan, onVerdict }
    try {
      await this.runWith(operation, context)
    } catch (error) {
      const known = error instanceof SchemaUnavailable
      this.post({
        type: 'failed',
        id,
        reason: known ? error.reason : 'UNKNOWN',
        detail: known ? error.message : '',
        cause: loggedError(error),
      })
    } finally {
      this.controllers.delete(id)
    }
  }

  private async runWith(request: StitchedOperation, context: Context): Promise<void> {
    const { workspaceId, objects, introspects } = request
    const schemaRequest = { workspaceId, platform: context, objects, introspects }
    if (request.wantsSdl) return this.send(context, sdlOf(await this.schemas.take(schemaRequest)), {})
    const read = this.caches.documents.read(request.source)
    const { document } = read
    const { schema, errors } = await this.validated(read, schemaRequest)
    const operation = getOperationAST(document, request.operationName)
    if (errors.length > 0 || !operation) {
      const shown = operation ? errors : [createGraphQLError('There is no such operation in the document')]
      const formatted = shown.map((error) => ({
        ...error.toJSON(),
        message: publicMessage(error.message),
        extensions: invalidInput(context),
      }))
      return this.answer(context, { errors: formatted }, { executed: false })
    }
    const faults = variableFaults(schema, operation, request.variables ?? {})
    if (faults.length > 0) {
      const formatted = variableErrors(faults).map(({ message, data }) => ({ message, extensions: { ...invalidInput(context), data } }))
      return this.answer(context, { errors: formatted }, { executed: false })
    }
    const args = {
      schema,
      document: read.toExecute,
      contextValue: context,
      ...(request.variables && { variableValues: request.variables }),
      ...(request.operationName !== null && { operationName: request.operationName }),
    }
    if (asksOnlyForSchema(operation)) {
      const prepared = this.caches.answers.get(schema, request)
      if (prepared) return this.sendBody(context, prepared, {})
      const { data, errors } = await execute(args)
      if (!errors) return this.sendBody(context, this.caches.answers.add(schema, request, JSON.stringify({ data })), {})
    }
    if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return this.finish(await execute(args), { document, operation, context })
    const stream = await subscribe(args)
    if (!(Symbol.asyncIterator in stream)) return this.finish(stream, { document, operation, context })
    context.signal.addEventListener('abort', () => void stream.return(undefined).catch(() => undefined), { once: true })
    for await (const result of stream) {
      this.answer(context, finishResult(result, { document, operation, requestId: context.requestId }, context.wholeErrors), { more: true })
    }
    this.post({ type: 'end', id: context.id })
  }

  /** Validates against the cached schema. If that has errors, reads the workspace's schema again, because it may have changed. */
  private async validated(
    document: StitchedDocument,
    request: Parameters<SchemaCache['take']>[0],
  ): Promise<{ schema: GraphQLSchema; errors: readonly GraphQLError[] }> {
    const schema = await this.schemas.take(request)
    const errors = this.caches.documents.errorsIn(schema, document)
    if (errors.length === 0) return { schema, errors }
    const newer = await this.schemas.reread(request).catch(() => null)
    return newer ? { schema: newer, errors: this.caches.documents.errorsIn(newer, document) } : { schema, errors }
  }

  private finish(result: ExecutionResult, { document, operation, context }: Executed): void {
    const finished = finishResult(result, { document, operation, requestId: context.requestId }, context.wholeErrors)
    this.answer(context, finished, { executed: 'data' in finished })
  }

  private answer(context: Context, result: object, sent: Sent): void {
    this.send(context, JSON.stringify(result), sent)
  }

  private send(context: Context, text: string, sent: Sent): void {
    const body = new TextEncoder().encode(text)
    this.sendBody(context, body, { ...sent, transfer: [body.buffer] })
  }

  private sendBody(context: Context, body: Uint8Array, { executed = true, more = false, transfer = [] }: Sent): void {
    this.post({ type: 'answer', id: context.id, body, executed, more, platformFailures: [...context.failures] }, transfer)
    context.failures.clear()
    // A subscription answers for hours.
    context.wholeErrors.clear()
  }

  private readAgain({ workspaceId, accessToken, requestId }: ModelChange): void {
    const signal = deadlineSignal(this.settings.deadlineMs)
    const { executors } = this
    const context = { accessToken, requestId, signal, executors, wholeErrors: new Map(), failures: new Set<TransportReason>() }
    this.schemas.changed(workspaceId, { ...context, beginSpan: null, onVerdict: () => {} })
  }

  /** Sends the message with the next one. To wake the thread of the service takes longer than most of what it does then. */
  private note(message: FromWorker): void {
    this.notes.push(message)
  }

  private post(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
    this.transport([...this.notes.splice(0), message], transfer)
  }

  private executorsFor(maxAnswerBytes: number): Readonly<Record<Endpoint, Executor<PlatformContext>>> {
    const { endpoints, deadlineMs } = this.settings
    return {
      records: createPlatformExecutor({ endpoint: endpoints.records, deadlineMs, maxAnswerBytes }),
      metadata: createPlatformExecutor({ endpoint: endpoints.metadata, deadlineMs, maxAnswerBytes }),
    }
  }
}

const printed = new WeakMap<GraphQLSchema, string>()

function sdlOf(schema: GraphQLSchema): string {
  const sdl = printed.get(schema) ?? printSchema(schema)
  printed.set(schema, sdl)
  return sdl
}

type Executed = { readonly document: DocumentNode; readonly operation: OperationDefinitionNode; readonly context: Context }

type Sent = { readonly executed?: boolean; readonly more?: boolean; readonly transfer?: readonly ArrayBuffer[] }

function invalidInput({ requestId }: Context): Record<string, unknown> {
  return { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', retryable: false, requestId }
}
