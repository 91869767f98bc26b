import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { collectWhenIdle } from '../../../kernel/collect-when-idle.ts'
import { requireSafeTls } from '../../../kernel/process-safety.ts'
import type { ToWorker, WorkerSettings } from './messages.ts'
import { createThreadCaches, SchemaServer } from './serve-schemas.ts'

/**
 * The thread of the stitched schemas. Building one takes a third of a second and tens of megabytes, which must not block the service.
 */
// Each thread has a lowest version of its own. The service has checked the environment.
requireSafeTls({})
const settings = readSettings(workerData)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const server = new SchemaServer(settings, createThreadCaches(settings.maxSchemas), (...sent) => parentPort?.postMessage(...sent))
parentPort?.on('message', (message: ToWorker) => server.receive(message))
collectWhenIdle()

function readSettings(value: unknown): WorkerSettings {
  const wholeNumber = z.number().positive()
  return z
    .object({
      endpoints: z.object({ records: z.url(), metadata: z.url() }),
      contract: z.string(),
      maxSchemas: wholeNumber,
      refreshMs: wholeNumber,
      rereadMs: z.number().nonnegative(),
      deadlineMs: wholeNumber,
      directory: z.string().nullable(),
    })
    .parse(value)
}
