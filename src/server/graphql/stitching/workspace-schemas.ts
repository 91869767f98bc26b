import { LRUCache } from 'lru-cache'
import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { nextSlice } from '../../../kernel/loop-slices.ts'
import { type CacheUse, countUse } from '../../../ports/figures.ts'
import { abortError } from '../../http/http-context.ts'
import { withinSpan } from '../../http/request-span.ts'
import { logProviderFailure } from '../errors.ts'
import type { LocalExecution } from '../local-execution.ts'
import { type AnswerQueue, createAnswerQueue } from './answer-queue.ts'
import { createLocalPart } from './local-part.ts'
import { createLocalStreams } from './local-streams.ts'
import type { BuildFigures, FromWorker, ModelChange, StitchedOperation, WorkerSettings } from './messages.ts'
import {
  createRunningOperations,
  type RunningOperation,
  type RunningOperations,
  type StitchedAnswer,
  type StitchedRequest,
} from './running-operations.ts'
import { createPlatformSpans } from './platform-spans.ts'
import { createSchemaWorker, type StartSchemaThread } from './schema-worker.ts'
import { createWorkerLoad, overloaded } from './worker-load.ts'

/** Runs operations on the stitched schemas of the workspaces, in a thread of their own. */
export type WorkspaceSchemas = {
  /** The whole answer. Throws an AppError if the workspace's schema is not available. */
  run(operation: StitchedOperation, request: StitchedRequest): Promise<StitchedAnswer>
  /** The answers of a subscription, each as JSON. */
  stream(operation: StitchedOperation, request: StitchedRequest): AsyncIterable<Uint8Array>
  /** A workspace's data model has changed: its schema is read again. */
  modelChanged(change: ModelChange): void
  /** The figures of the last builds, by workspace. */
  figures(): ReadonlyMap<string, BuildFigures>
  close(): Promise<void>
}

/** What may wait for the reader of one stream. A stream whose reader is slower ends with an error. */
const maxWaitingBytes = 16 * 1_048_576

/** To read an answer like this holds the event loop for milliseconds. */
const largeBytes = 262_144

export function createWorkspaceSchemas({
  settings,
  local,
  log,
  use,
  overloadDelayMs,
  startSchemaThread,
}: {
  /** Counts operations whose schema was cached. */
  readonly use: CacheUse
  readonly settings: WorkerSettings
  readonly local: LocalExecution
  readonly log: Log
  /** Operations are refused if the thread's event loop is later than this. 0: never. */
  readonly overloadDelayMs: number
  readonly startSchemaThread?: StartSchemaThread | undefined
}): WorkspaceSchemas {
  const built = new LRUCache<string, BuildFigures>({ max: 1_000 })
  const localPart = createLocalPart(local)
  const load = createWorkerLoad(overloadDelayMs, log)
  const operations = createRunningOperations(() => worker, load)
  const localStreams = createLocalStreams(
    localPart,
    (id) => operations.get(id)?.context ?? null,
    (message) => worker.post(message),
  )
  const spanOf = (id: number) => operations.get(id)?.ctx.span ?? null
  const spans = createPlatformSpans(settings.endpoints.records, spanOf, (message) => worker.post(message))

  const answerLocal = async (message: FromWorker & { type: 'local' }): Promise<void> => {
    const operation = operations.get(message.id)
    const context = message.added ? operation?.addedContext : operation?.context
    const span = spanOf(message.id)
    const run = () => localPart.run(message, context ?? null)
    const answer = await (span ? withinSpan(span, run) : run())
    worker.post({ type: 'localAnswer', call: message.call, answer })
  }
  const receive = (message: FromWorker): void => {
    if (message.type === 'local') return void answerLocal(message)
    if (message.type === 'localStream' || message.type === 'localNext' || message.type === 'localStop')
      return void localStreams.receive(message)
    if (message.type === 'requestBegins' || message.type === 'requestEnds') return spans.receive(message)
    if (message.type === 'load') return load.check(message.reading)
    if (message.type === 'taken') return countUse(use, message.isCached)
    if (message.type === 'built') return noteBuild(message, built, log)
    const operation = operations.get(message.id)
    if (message.type === 'verdict') return operation?.onVerdict?.(message.works)
    if (operation) report(message, operation)
  }
  const onExit = (): void => {
    localStreams.stopAll()
    operations.failAll()
    spans.endAll()
  }
  const worker = createSchemaWorker({ settings, log, onMessage: receive, onExit, startSchemaThread })

  return {
    run: (operation, request) => runWhole(operation, request, operations),
    stream: (operation, request) => stream(operation, request, operations),
    modelChanged: (change) => worker.post({ type: 'modelChanged', ...change }),
    figures: () => new Map(built.entries()),
    close: () => worker.stop(),
  }
}

function noteBuild({ workspaceId, figures }: FromWorker & { type: 'built' }, built: LRUCache<string, BuildFigures>, log: Log): void {
  log.info({ workspaceId, ...figures }, 'stitching.schema-built')
  built.set(workspaceId, figures)
}

function runWhole(operation: StitchedOperation, request: StitchedRequest, operations: RunningOperations): Promise<StitchedAnswer> {
  return new Promise((resolve, reject) => {
    const id = operations.begin(operation, {
      ...request,
      kind: 'operation',
      onAnswer: ({ body, executed }) => {
        operations.end(id)
        if (body.length < largeBytes) return resolve({ body, executed })
        // Many may come at once, and reading each holds the event loop: everything else goes on in between.
        void nextSlice().then(() => (request.ctx.aborted ? reject(abortError(request.ctx.aborted)) : resolve({ body, executed })))
      },
      onEnd: () => operations.end(id),
      onFailure: (error) => {
        operations.end(id)
        reject(error)
      },
    })
  })
}

async function* stream(operation: StitchedOperation, request: StitchedRequest, operations: RunningOperations): AsyncGenerator<Uint8Array> {
  const queue = createAnswerQueue(maxWaitingBytes, (bytes) => (request.ctx.heldBytes += bytes))
  // A stream that waits for its next answer ends only by its queue.
  using following = new DisposableStack()
  following.use(request.follow?.((refusal) => queue.fail(refusal)))
  const id = operations.begin(operation, { ...request, ...readingInto(queue, () => operations.abort(id)) })
  try {
    yield* queue.read()
  } finally {
    operations.end(id)
    if (!queue.hasEnded()) operations.abort(id)
  }
}

function readingInto(queue: AnswerQueue, onOverflow: () => void): Omit<RunningOperation, keyof StitchedRequest> {
  return {
    kind: 'stream',
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

function report(message: FromWorker & { type: 'answer' | 'end' | 'failed' }, operation: RunningOperation): void {
  if (message.type === 'answer') {
    for (const reason of message.platformFailures) logProviderFailure(new AppError(reason), operation.context)
    return operation.onAnswer(message)
  }
  if (message.type === 'end') return operation.onEnd()
  if (message.reason === 'UNKNOWN') operation.context.log.error({ cause: message.cause }, 'stitching.operation-failed')
  operation.onFailure(new AppError(message.reason, message.detail === '' ? {} : { detail: message.detail }))
}
