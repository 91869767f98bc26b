import type { RequestContext } from '../../../access/request-context.ts'
import type { Owner } from '../../../kernel/fair-queue.ts'
import { AppError } from '../../../kernel/errors.ts'
import { abortError, type HttpContext } from '../../http/http-context.ts'
import type { StitchedOperation } from './messages.ts'
import type { SchemaWorker } from './schema-worker.ts'
import { overloaded, type Place, type WorkerLoad } from './worker-load.ts'

export type StitchedRequest = {
  readonly ctx: HttpContext
  readonly context: RequestContext
  /** For the fields that we add to types of the platform. */
  readonly addedContext: RequestContext
  readonly owner: Owner
  /** Called for each request to the platform that has ended: whether the platform works. */
  readonly onVerdict?: (works: boolean) => void
  /** Of a stream. Calls the listener when its token is refused, until the result is disposed of. Throws TOKEN_REFUSED if it is already. */
  readonly follow?: (listener: (refusal: AppError) => void) => Disposable
}
/** `executed`: false if the document was refused before it ran. */
export type StitchedAnswer = { readonly body: Uint8Array; readonly executed: boolean }

export type RunningOperation = StitchedRequest & {
  readonly kind: 'operation' | 'stream'
  readonly onAnswer: (answer: StitchedAnswer & { readonly more: boolean }) => void
  readonly onEnd: () => void
  readonly onFailure: (error: Error) => void
}

/** The operations that the worker has not answered yet. */
export type RunningOperations = {
  get(id: number): RunningOperation | undefined
  /** Sends the operation to the worker, now or when it is its owner's turn. Throws OVERLOADED if the worker has too much to do. */
  begin(operation: StitchedOperation, running: RunningOperation): number
  end(id: number): void
  /** Tells the worker to stop. */
  abort(id: number): void
  /** The worker has ended. */
  failAll(): void
}

export function createRunningOperations(worker: () => SchemaWorker, load: WorkerLoad): RunningOperations {
  const running = new Map<number, RunningOperation & { readonly place: Place }>()
  let lastId = 0
  const remove = (id: number): void => {
    const operation = running.get(id)
    if (operation && running.delete(id)) load.leave(operation.place)
  }
  const end = (id: number): void => {
    remove(id)
    if (running.size === 0) worker().stopWhenIdle()
  }
  const abort = (id: number): void => worker().post({ type: 'abort', id })
  return {
    get: (id) => running.get(id),
    begin(operation, { ctx, ...handlers }) {
      if (ctx.aborted) throw abortError(ctx.aborted)
      lastId += 1
      const id = lastId
      const place = load.enter({
        kind: handlers.kind,
        owner: handlers.owner,
        begin: () => worker().post({ type: 'execute', id, isTraced: ctx.span !== null, ...operation }),
        refuse: () => handlers.onFailure(overloaded()),
      })
      running.set(id, { ctx, ...handlers, place })
      ctx.onAbort((cause) => {
        if (!running.has(id)) return
        abort(id)
        handlers.onFailure(cause === 'DEADLINE' ? new AppError('DEADLINE_PASSED') : abortError(cause))
        end(id)
      })
      return id
    },
    end,
    abort,
    failAll() {
      // Those that wait first: the end of another one would begin them.
      const all = [...running].toSorted(([, one], [, other]) => Number(other.place.isWaiting) - Number(one.place.isWaiting))
      for (const [id, operation] of all) {
        remove(id)
        operation.onFailure(overloaded())
      }
    },
  }
}
