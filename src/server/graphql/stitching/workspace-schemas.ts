import { LRUCache } from 'lru-cache'
import type { RequestContext } from '../../../access/request-context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { abortError, type HttpContext } from '../../http/http-context.ts'
import { logProviderFailure } from '../errors.ts'
import type { LocalExecution } from '../local-execution.ts'
import { type AnswerQueue, createAnswerQueue } from './answer-queue.ts'
import { createLocalPart } from './local-part.ts'
import type { BuildFigures, FromWorker, StitchedOperation, WorkerSettings } from './messages.ts'
import { createSchemaWorker } from './schema-worker.ts'

/** Runs operations on the stitched schemas of the workspaces, in a thread of their own. */
export type WorkspaceSchemas = {
  /** The whole answer. Throws an AppError if the workspace's schema is not available. */
  run(operation: StitchedOperation, request: StitchedRequest): Promise<StitchedAnswer>
  /** The answers of a subscription, each as JSON. */
  stream(operation: StitchedOperation, request: StitchedRequest): AsyncIterable<Uint8Array>
  /** The figures of the last builds, by workspace. */
  figures(): ReadonlyMap<string, BuildFigures>
  close(): Promise<void>
}

export type StitchedRequest = { readonly context: RequestContext; readonly ctx: HttpContext }
/** `executed`: false if the document was refused before it ran. */
export type StitchedAnswer = { readonly body: Uint8Array; readonly executed: boolean }

export type WorkspaceSchemasOptions = {
  readonly settings: WorkerSettings
  readonly local: LocalExecution
  readonly log: Log
}

type Running = StitchedRequest & {
  readonly onAnswer: (answer: StitchedAnswer & { readonly more: boolean }) => void
  readonly onEnd: () => void
  readonly onFailure: (error: Error) => void
}

/** More operations at once than this are refused: each holds memory in the worker. */
const maxRunning = 1_000
/** What may wait for the reader of one stream. A stream whose reader is slower ends with an error. */
const maxWaitingBytes = 16 * 1_048_576

export function createWorkspaceSchemas({ settings, local, log }: WorkspaceSchemasOptions): WorkspaceSchemas {
  const running = new Map<number, Running>()
  const built = new LRUCache<string, BuildFigures>({ max: 1_000 })
  const localPart = createLocalPart(local)
  let lastId = 0

  const answerLocal = async (message: FromWorker & { type: 'local' }): Promise<void> => {
    const answer = await localPart.run(message, running.get(message.id)?.context ?? null)
    worker.post({ type: 'localAnswer', call: message.call, answer })
  }
  const receive = (message: FromWorker): void => {
    if (message.type === 'local') return void answerLocal(message)
    if (message.type === 'built') {
      log.info({ workspaceId: message.workspaceId, ...message.figures }, 'stitching.schema-built')
      built.set(message.workspaceId, message.figures)
      return
    }
    const operation = running.get(message.id)
    if (operation) report(message, operation)
  }
  const failAll = (): void => {
    for (const [id, operation] of running) {
      running.delete(id)
      operation.onFailure(overloaded())
    }
  }
  const worker = createSchemaWorker({ settings, log, onMessage: receive, onExit: failAll })

  const begin = (operation: StitchedOperation, request: Running): number => {
    if (request.ctx.aborted) throw abortError(request.ctx.aborted)
    if (running.size >= maxRunning) throw overloaded()
    lastId += 1
    const id = lastId
    running.set(id, request)
    request.ctx.onAbort((cause) => {
      if (!running.has(id)) return
      worker.post({ type: 'abort', id })
      request.onFailure(cause === 'CLIENT_LEFT' ? abortError(cause) : new AppError('DEADLINE_PASSED'))
      end(id)
    })
    worker.post({ type: 'execute', id, ...operation })
    return id
  }
  const end = (id: number): void => {
    running.delete(id)
    if (running.size === 0) worker.stopWhenIdle()
  }

  return {
    run: (operation, request) => runWhole(request, { begin: (handlers) => begin(operation, handlers), end }),
    async *stream(operation, request) {
      const queue = createAnswerQueue(maxWaitingBytes)
      const id = begin(operation, { ...request, ...readingInto(queue, () => worker.post({ type: 'abort', id })) })
      try {
        yield* queue.read()
      } finally {
        end(id)
        if (!queue.hasEnded()) worker.post({ type: 'abort', id })
      }
    },
    figures: () => new Map(built.entries()),
    close: () => worker.stop(),
  }
}

type Lifecycle = { readonly begin: (handlers: Running) => number; readonly end: (id: number) => void }

function runWhole(request: StitchedRequest, { begin, end }: Lifecycle): Promise<StitchedAnswer> {
  return new Promise((resolve, reject) => {
    const id = begin({
      ...request,
      onAnswer: ({ body, executed }) => {
        end(id)
        resolve({ body, executed })
      },
      onEnd: () => end(id),
      onFailure: (error) => {
        end(id)
        reject(error)
      },
    })
  })
}

function readingInto(queue: AnswerQueue, onOverflow: () => void): Omit<Running, keyof StitchedRequest> {
  return {
    onAnswer({ body, more }) {
      if (!queue.add(body)) {
        queue.fail(overloaded())
        onOverflow()
      } else if (!more) {
        // The document was refused: no stream began.
        queue.end()
      }
    },
    onEnd: () => queue.end(),
    onFailure: (error) => queue.fail(error),
  }
}

function report(message: FromWorker & { type: 'answer' | 'end' | 'failed' }, operation: Running): void {
  if (message.type === 'answer') {
    for (const reason of message.failures) logProviderFailure(new AppError(reason), operation.context)
    return operation.onAnswer(message)
  }
  if (message.type === 'end') return operation.onEnd()
  if (message.reason === 'UNKNOWN') operation.context.log.error({ cause: message.cause }, 'stitching.operation-failed')
  operation.onFailure(new AppError(message.reason, message.detail === '' ? {} : { detail: message.detail }))
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}
