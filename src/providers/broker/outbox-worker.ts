import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { type OutboxDatabase, openOutboxDatabase } from './outbox-database.ts'
import { opening, type OutboxOpening, type OutboxReply, type OutboxRequest } from './outbox-protocol.ts'

/**
 * The thread that writes the embedded outboxes. Requests that arrive during one transaction form the next one: one transaction, one flush
 * to the disk, then all their replies. So the event loop never waits for the disk, and the disk is not flushed once per event.
 */
function open({ outbox, port }: OutboxOpening): void {
  try {
    serve(port, openOutboxDatabase(outbox))
  } catch (error) {
    port.postMessage({ call: opening, outcome: 'failed', error: messageOf(error) } satisfies OutboxReply)
    port.close()
  }
}

function serve(port: MessagePort, database: OutboxDatabase): void {
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
      return requests.map(({ call }) => ({ call, outcome: 'failed', error: messageOf(error) }))
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

if (!parentPort) throw new Error('The outbox worker is a thread')
parentPort.on('message', open)
