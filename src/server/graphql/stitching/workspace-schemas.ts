import { Worker } from 'node:worker_threads'
import { type DocumentNode, parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { RequestContext } from '../../../access/request-context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { abortError, type HttpContext } from '../../http/http-context.ts'
import { logProviderFault, shownError } from '../errors.ts'
import type { LocalExecution } from '../local-execution.ts'
import type { BuildFigures, FromWorker, StitchedOperation, ToWorker, WorkerSettings } from './messages.ts'

/** Where stitched operations run. Nothing is started before the first one comes. */
export type WorkspaceSchemas = {
  /** The whole answer. Throws the reason for which the workspace's schema cannot be had. */
  run(operation: StitchedOperation, request: StitchedRequest): Promise<StitchedAnswer>
  /** The answers of a subscription, each as JSON. */
  stream(operation: StitchedOperation, request: StitchedRequest): AsyncIterable<Uint8Array>
  /** What the last builds came to, by workspace. */
  figures(): ReadonlyMap<string, BuildFigures>
  close(): Promise<void>
}

export type StitchedRequest = { readonly context: RequestContext; readonly ctx: HttpContext }
/** `executed`: false where the document was refused before it ran. */
export type StitchedAnswer = { readonly body: Uint8Array; readonly executed: boolean }

export type WorkspaceSchemasDependencies = {
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
/** What may wait for the reader of one stream; one that is further behind has lost it. */
const maxWaitingBytes = 16 * 1_048_576
const workerMemoryMb = 2_048
const idleAfterMs = 15 * 60_000

export function createWorkspaceSchemas({ settings, local, log }: WorkspaceSchemasDependencies): WorkspaceSchemas {
  const running = new Map<number, Running>()
  const built = new LRUCache<string, BuildFigures>({ max: 1_000 })
  const parsed = new LRUCache<string, DocumentNode>({ max: 500, maxSize: 2_000_000, sizeCalculation: (_document, text) => text.length + 1 })
  let worker: Worker | null = null
  let lastId = 0
  let idle: NodeJS.Timeout | null = null

  const start = (): Worker => {
    const fresh = new Worker(new URL('worker.ts', import.meta.url), {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: workerMemoryMb },
      env: {},
      execArgv: [],
    })
    fresh.on('message', (message: FromWorker) => receive(message))
    fresh.on('error', (error) => log.error({ err: error }, 'the thread of the stitched schemas failed'))
    fresh.on('exit', () => {
      if (worker === fresh) worker = null
      for (const [id, operation] of running) {
        running.delete(id)
        operation.onFailure(new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } }))
      }
    })
    fresh.unref()
    return fresh
  }

  const tell = (message: ToWorker): void => {
    worker ??= start()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(message)
  }

  const receive = (message: FromWorker): void => {
    if (message.type === 'built') {
      log.info({ workspaceId: message.workspaceId, ...message.figures }, 'a workspace schema was stitched')
      built.set(message.workspaceId, message.figures)
      return
    }
    const operation = running.get(message.id)
    if (message.type === 'local') return void answerLocal(message, operation)
    if (!operation) return
    if (message.type === 'answer') {
      for (const reason of message.faults) logProviderFault(new AppError(reason), operation.context)
      return operation.onAnswer(message)
    }
    if (message.type === 'end') return operation.onEnd()
    if (message.reason === 'UNKNOWN') operation.context.log.error({ cause: message.cause }, 'a stitched operation failed')
    operation.onFailure(new AppError(message.reason, message.detail === '' ? {} : { detail: message.detail }))
  }

  /** Always answers: the worker waits for it. */
  const answerLocal = async (message: FromWorker & { type: 'local' }, operation: Running | undefined): Promise<void> => {
    const run = async (): Promise<object> => {
      if (!operation) throw new Error('the request is gone')
      let document = parsed.get(message.source)
      if (!document) {
        document = parse(message.source)
        parsed.set(message.source, document)
      }
      const { data, errors } = await local.run({ document, variables: { ...message.variables } }, operation.context)
      return { data, errors: errors?.map((error) => shownError(error, operation.context).toJSON()) }
    }
    const answer = await run().catch((error: unknown) => {
      if (operation) operation.context.log.error({ err: error }, 'our part of a stitched operation failed')
      return {
        data: null,
        errors: [{ message: new AppError('UNKNOWN').message, extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'UNKNOWN' } }],
      }
    })
    tell({ type: 'localAnswer', call: message.call, answer: JSON.stringify(answer) })
  }

  const begin = (operation: StitchedOperation, handlers: Running): number => {
    if (handlers.ctx.aborted) throw abortError(handlers.ctx.aborted)
    if (running.size >= maxRunning) throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
    if (idle) clearTimeout(idle)
    idle = null
    lastId += 1
    const id = lastId
    running.set(id, handlers)
    handlers.ctx.onAbort((cause) => {
      if (!running.has(id)) return
      tell({ type: 'abort', id })
      handlers.onFailure(cause === 'CLIENT_LEFT' ? new DOMException('The client left', 'AbortError') : new AppError('DEADLINE_PASSED'))
      end(id)
    })
    tell({ type: 'execute', id, ...operation })
    return id
  }

  const end = (id: number): void => {
    running.delete(id)
    if (running.size > 0 || idle) return
    // Gives the memory of the schemas back when nobody has used one for long.
    idle = setTimeout(() => void worker?.terminate(), idleAfterMs).unref()
  }

  return {
    run: (operation, request) =>
      new Promise((resolve, reject) => {
        const id = begin(operation, {
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
      }),
    async *stream(operation, request) {
      const waiting: Uint8Array[] = []
      let waitingBytes = 0
      let ended = false
      let failure: Error | null = null
      let wake = (): void => {}
      const id = begin(operation, {
        ...request,
        onAnswer: ({ body, more }) => {
          waitingBytes += body.length
          if (waitingBytes > maxWaitingBytes) {
            failure = new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
            end(id)
            tell({ type: 'abort', id })
            return
          }
          waiting.push(body)
          // Without more it is a refusal: no stream began.
          ended = !more
          wake()
        },
        onEnd: () => {
          ended = true
          wake()
        },
        onFailure: (error) => {
          failure = error
          wake()
        },
      })
      try {
        while (true) {
          const next = waiting.shift()
          if (next) {
            waitingBytes -= next.length
            yield next
          } else if (failure) throw failure
          else if (ended) return
          else await new Promise<void>((resolve) => (wake = resolve))
        }
      } finally {
        end(id)
        if (!ended) tell({ type: 'abort', id })
      }
    },
    figures: () => new Map(built.entries()),
    async close() {
      if (idle) clearTimeout(idle)
      await worker?.terminate()
    },
  }
}
