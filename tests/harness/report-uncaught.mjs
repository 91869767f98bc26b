import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/**
 * Loaded first by every Node process that a test starts (uncaught-errors.ts). It changes nothing of what the process does.
 *
 * @param {unknown} error
 */
const report = (error) => {
  const { UNCAUGHT_ERRORS_FILE: file } = process.env
  const text = error instanceof Error ? error.stack : String(error)
  if (file) appendFileSync(file, `${JSON.stringify(`${process.argv.slice(1).join(' ')}: ${text}`)}\n`)
}
process.on('uncaughtExceptionMonitor', report)
subscribe('worker_threads', (message) => {
  if (typeof message === 'object' && message && 'worker' in message && message.worker instanceof Worker) message.worker.on('error', report)
})
