import { deadlineSignal } from '../../kernel/deadlines.ts'
import { AppError } from '../../kernel/errors.ts'
import { type ServiceLane, serviceLanes } from '../../ports/record-access.ts'
import type { RequestWindow } from './api-key-limit.ts'

/** Limits the requests of a workspace's API key. Requests wait in lanes, which have an order. */
export interface ServiceQueue {
  /**
   * Resolves when `cost` requests may be sent. Throws OVERLOADED if too many wait already or the wait takes longer than `longestWaitMs`,
   * and DEADLINE_PASSED if the signal aborts.
   */
  wait(request: { workspaceId: string; lane: ServiceLane; cost: number; signal?: AbortSignal }): Promise<void>
  /** How many wait. */
  waiting(): number
  /** The service ends: all that still wait after this time, or begin to, fail with OVERLOADED. Default: at once. */
  stop(afterMs?: number): void
}

/** The share of the minute's requests that a lane leaves to the lanes before it. */
const reserves: Readonly<Record<ServiceLane, number>> = { WEBHOOKS: 0, INSIGHTS: 0.1, WIDGET: 0.3, RETRIES: 0.5, RECORDINGS: 0.5 }
const maxWaiting = 2_000
const longestWaitMs = 65_000
const pollMs = 100

type Waiting = { readonly lane: ServiceLane; readonly cost: number; readonly grant: () => void }

export function createServiceQueue(window: RequestWindow): ServiceQueue {
  const queues = new Map<string, Waiting[]>()
  const stopping = new AbortController()

  const serve = async (workspaceId: string): Promise<void> => {
    const queue = queues.get(workspaceId) ?? []
    for (let next = firstOf(queue); next; next = firstOf(queue)) {
      const { waitMs } = await window.take(workspaceId, next.cost, reserves[next.lane])
      if (!queue.includes(next)) continue
      if (waitMs > 0) await pause(Math.min(waitMs, pollMs))
      else {
        queue.splice(queue.indexOf(next), 1)
        next.grant()
      }
    }
    queues.delete(workspaceId)
  }

  const enter = (workspaceId: string, entry: Waiting): void => {
    const queue = queues.get(workspaceId)
    if (queue) return void queue.push(entry)
    queues.set(workspaceId, [entry])
    void serve(workspaceId)
  }

  const waiting = (): number => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0)

  return {
    waiting,
    stop(afterMs = 0) {
      if (afterMs > 0) setTimeout(() => stopping.abort(), afterMs).unref()
      else stopping.abort()
    },
    async wait({ workspaceId, lane, cost, signal }) {
      if (waiting() >= maxWaiting || stopping.signal.aborted) throw overloaded()
      const granted = Promise.withResolvers<void>()
      const entry: Waiting = { lane, cost, grant: granted.resolve }
      const tooLate = deadlineSignal(longestWaitMs)
      const stop = AbortSignal.any([tooLate, stopping.signal, ...(signal ? [signal] : [])])
      const giveUp = (): void => {
        const queue = queues.get(workspaceId)
        const place = queue?.indexOf(entry) ?? -1
        if (place >= 0) queue?.splice(place, 1)
        granted.reject(signal?.aborted !== true ? overloaded() : new AppError('DEADLINE_PASSED', { cause: stop.reason }))
      }
      stop.addEventListener('abort', giveUp, { once: true })
      enter(workspaceId, entry)
      await granted.promise.finally(() => stop.removeEventListener('abort', giveUp))
    },
  }
}

/** The first of the lane that goes first. */
function firstOf(queue: readonly Waiting[]): Waiting | undefined {
  for (const lane of serviceLanes) {
    const entry = queue.find((candidate) => candidate.lane === lane)
    if (entry) return entry
  }
  return undefined
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', {
    detail: "The workspace's API key has reached the platform's rate limit. Try again later",
    data: { retryAfterSeconds: 60 },
  })
}
