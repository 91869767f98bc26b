import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { startThread } from '../../src/kernel/start-thread.ts'
import type { FromWorker, WorkerSettings } from '../../src/server/graphql/stitching/messages.ts'
import type { StartSchemaThread } from '../../src/server/graphql/stitching/schema-worker.ts'

export type SharedThreadStart = { readonly settings: WorkerSettings; readonly port: MessagePort }

let shared: Worker | null = null

function sharedThread(): Worker {
  const thread = startThread(new URL('shared-schema-worker.ts', import.meta.url), { memoryMb: 2_048 })
  thread.once('exit', () => (shared = null))
  return thread
}

/** In the thread that all apps of this process share: its modules, and the schemas that it has built, are loaded once. */
export const startInSharedThread: StartSchemaThread = (settings, { onMessages, onError, onExit }) => {
  const { port1, port2 } = new MessageChannel()
  const thread = (shared ??= sharedThread())
  const fail = (error: unknown): void => onError(error)
  thread.on('error', fail)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  thread.postMessage({ settings, port: port2 } satisfies SharedThreadStart, [port2])
  port1.on('message', (messages: readonly FromWorker[]) => onMessages(messages))
  const closed = new Promise<void>((resolve) => {
    port1.once('close', () => {
      thread.off('error', fail)
      onExit()
      resolve()
    })
  })
  port1.unref()
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    post: (message) => port1.postMessage(message),
    end() {
      port1.close()
      return closed
    },
  }
}
