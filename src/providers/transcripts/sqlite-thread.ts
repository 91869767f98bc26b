import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { startThread } from '../../kernel/start-thread.ts'
import type { FromThread, IndexRequest, ToThread } from './sqlite-messages.ts'
import { type IndexFile, SearchTooLong } from './sqlite-database.ts'

type ThreadSettings = {
  readonly file: IndexFile
  readonly memoryMb: number
  readonly log: Log
}

/** The thread of the search index (sqlite-worker.ts). It answers one request after another. */
export type IndexThread = {
  /** Resolves when the file is open. Throws an error that says why if it cannot be opened. */
  open(): Promise<void>
  /** Throws SearchTooLong, or STORE_UNAVAILABLE. After the thread has died, the next request starts another one. */
  ask(request: IndexRequest): Promise<unknown>
  close(): Promise<void>
}

type Asked = PromiseWithResolvers<unknown>
/** Longer than a write takes. */
const closeMs = 1_000

export function createIndexThread({ file, memoryMb, log }: ThreadSettings): IndexThread {
  const asked = new Map<number, Asked>()
  let running: { readonly thread: Worker; readonly opened: PromiseWithResolvers<void> } | null = null
  let isClosed = false
  let lastId = 0

  const settle = (thread: Worker, id: number): Asked | undefined => {
    const one = asked.get(id)
    asked.delete(id)
    // A request that waits keeps the process alive, an idle thread does not.
    if (asked.size === 0) thread.unref()
    return one
  }
  const start = () => {
    const thread = startThread(new URL('sqlite-worker.ts', import.meta.url), { memoryMb })
    const opened = Promise.withResolvers<void>()
    // Only the first one is waited for.
    opened.promise.catch(() => undefined)
    thread.on('message', (message: FromThread) => {
      if (message.type === 'opened') opened.resolve()
      else if (message.type === 'notOpened') opened.reject(new Error(message.why))
      else if (message.type === 'done') settle(thread, message.id)?.resolve(message.value)
      else settle(thread, message.id)?.reject(message.isTooLong ? new SearchTooLong() : unavailable(message.cause))
    })
    thread.on('error', (error) => log.error({ err: error }, 'transcripts.thread-failed'))
    thread.on('exit', () => {
      running = null
      opened.reject(new Error('its thread has ended'))
      for (const id of asked.keys()) settle(thread, id)?.reject(unavailable())
    })
    send(thread, { type: 'open', file })
    return { thread, opened }
  }

  return {
    open() {
      running ??= start()
      running.thread.ref()
      return running.opened.promise
    },
    async ask(request) {
      if (isClosed) throw unavailable()
      running ??= start()
      lastId += 1
      const answer = Promise.withResolvers<unknown>()
      asked.set(lastId, answer)
      running.thread.ref()
      send(running.thread, { type: 'request', id: lastId, request })
      return answer.promise
    },
    async close() {
      isClosed = true
      if (!running) return
      const { thread } = running
      // Else the process could end before the rest of its stop has run.
      thread.ref()
      const hasEnded = once(thread, 'exit')
      send(thread, { type: 'close' })
      await Promise.race([hasEnded, delay(closeMs, null, { ref: false })])
      await thread.terminate()
    },
  }
}

function send(thread: Worker, message: ToThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  thread.postMessage(message)
}

function unavailable(cause?: unknown): AppError {
  return new AppError('STORE_UNAVAILABLE', { data: { retryAfterSeconds: 5 }, cause })
}
