import { parentPort } from 'node:worker_threads'
import type { ToWorker } from '../../src/server/graphql/stitching/messages.ts'
import { createThreadCaches, SchemaServer, type ThreadCaches } from '../../src/server/graphql/stitching/serve-schemas.ts'
import type { SharedThreadStart } from './shared-schema-thread.ts'

/** One thread for the stitched schemas of all apps of a test process. What it has built serves all of the same contract. */
const cachesByContract = new Map<string, ThreadCaches>()

parentPort?.on('message', ({ settings, port }: SharedThreadStart) => {
  const caches = cachesByContract.get(settings.contract) ?? createThreadCaches(8)
  cachesByContract.set(settings.contract, caches)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const server = new SchemaServer(settings, caches, (...sent) => port.postMessage(...sent))
  port.on('message', (message: ToWorker) => server.receive(message))
  port.once('close', () => server[Symbol.dispose]())
})
