import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openOutboxDatabase } from './outbox-database.ts'
import { isOutboxWorkerData, type OutboxReply, type OutboxRequest, type OutboxWorkerData } from './outbox-protocol.ts'

/**
 * The thread that writes the embedded outbox. Requests that arrive during one transaction form the next one: one transaction, one flush
 * to the disk, then all their replies. So the event loop never waits for the disk, and the disk is not flushed once per event.
 */
function serve(port: MessagePort, data: OutboxWorkerData): void {
  const database = openOutboxDatabase(data)
  port.on('message', (request: OutboxRequest | 'close') => {
    const group = [request, ...waiting(port)]
    const requests = group.filter((entry) => entry !== 'close')
    for (const reply of writeGroup(requests)) port.postMessage(reply)
    if (requests.length === group.length) return
    database.close()
    port.close()
  })

  const writeGroup = (requests: readonly OutboxRequest[]): OutboxReply[] => {
    try {
      return database.write(() => requests.map(({ call, step }) => ({ call, ...database.apply(step) })))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return requests.map(({ call }) => ({ call, outcome: 'failed', error: message }))
    }
  }
}

const largestGroup = 500

function waiting(port: MessagePort): (OutboxRequest | 'close')[] {
  const requests: (OutboxRequest | 'close')[] = []
  while (requests.length < largestGroup) {
    const received: { message: OutboxRequest | 'close' } | undefined = receiveMessageOnPort(port)
    if (!received) break
    requests.push(received.message)
  }
  return requests
}

if (parentPort && isOutboxWorkerData(workerData)) serve(parentPort, workerData)
else throw new Error('The outbox worker was started without its options')
