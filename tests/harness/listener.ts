import { createServer, type IncomingMessage } from 'node:http'

/** One request that a listener heard. */
export type ReceivedRequest = { readonly path: string; readonly contentType: string; readonly body: Buffer }

/** A server of the test's own that remembers what it is sent: the service's side of callbacks, or a stranger's. */
export type Listener = AsyncDisposable & {
  readonly url: string
  readonly received: readonly ReceivedRequest[]
  /** The statuses of the next answers; 200 where none is left. */
  answerNext(...statuses: readonly number[]): void
}

export async function startListener(): Promise<Listener> {
  const received: ReceivedRequest[] = []
  const statuses: number[] = []
  const server = createServer((message, response) => {
    void bodyOf(message).then((body) => {
      received.push({ path: message.url ?? '', contentType: message.headers['content-type'] ?? '', body })
      response.writeHead(statuses.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    received,
    answerNext: (...next) => void statuses.push(...next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of message) if (chunk instanceof Uint8Array) chunks.push(chunk)
  return Buffer.concat(chunks)
}
