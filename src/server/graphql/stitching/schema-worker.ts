import type { Log } from '../../../kernel/log.ts'
import { startThread } from '../../../kernel/start-thread.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts'

/** The thread of the stitched schemas (worker.ts). The first operation starts it. */
export type SchemaWorker = {
  /** An operation starts the thread if there is none. Other messages go to the running thread only. */
  post(message: ToWorker): void
  /** Ends the thread after 15 minutes without an operation, which frees the memory of the schemas. */
  stopWhenIdle(): void
  stop(): Promise<void>
}

/** A thread that runs. */
export type SchemaThread = { post(message: ToWorker): void; end(): Promise<unknown> }
export type ThreadListeners = {
  readonly onMessages: (messages: readonly FromWorker[]) => void
  readonly onError: (error: unknown) => void
  readonly onExit: () => void
}
export type StartSchemaThread = (settings: WorkerSettings, listeners: ThreadListeners) => SchemaThread

const workerMemoryMb = 2_048
const idleAfterMs = 15 * 60_000

export function createSchemaWorker({
  settings,
  log,
  onMessage,
  onExit,
  startSchemaThread = startOwnThread,
}: {
  readonly settings: WorkerSettings
  readonly log: Log
  readonly onMessage: (message: FromWorker) => void
  /** The thread has ended: its operations get no answer. */
  readonly onExit: () => void
  /** Default: a thread of its own. */
  readonly startSchemaThread?: StartSchemaThread | undefined
}): SchemaWorker {
  let worker: SchemaThread | null = null
  let idle: NodeJS.Timeout | null = null

  const start = (): SchemaThread => {
    const thread = startSchemaThread(settings, {
      onMessages: (messages) => messages.forEach(onMessage),
      onError: (error) => log.error({ err: error }, 'stitching.worker-failed'),
      onExit() {
        // One that has ended because it was idle had no operations; those that run now have another one.
        if (worker !== thread) return
        worker = null
        onExit()
      },
    })
    return thread
  }
  const stayAwake = (): void => {
    if (idle) clearTimeout(idle)
    idle = null
  }

  return {
    post(message) {
      if (message.type === 'execute') {
        stayAwake()
        worker ??= start()
      }
      worker?.post(message)
    },
    stopWhenIdle() {
      idle ??= setTimeout(() => {
        const thread = worker
        // What comes while it ends is for a new one.
        worker = null
        void thread?.end()
      }, idleAfterMs).unref()
    },
    async stop() {
      stayAwake()
      await worker?.end()
    },
  }
}

function startOwnThread(settings: WorkerSettings, { onMessages, onError, onExit }: ThreadListeners): SchemaThread {
  const thread = startThread(new URL('worker.ts', import.meta.url), { data: settings, memoryMb: workerMemoryMb })
  thread.on('message', onMessages).on('error', onError).on('exit', onExit)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  return { post: (message) => thread.postMessage(message), end: () => thread.terminate() }
}
