import { createServer } from 'node:http'
import { type Dispatcher, Pool } from 'undici'

/**
 * A minimal but correct proxy on undici: persistent connections, three forwarded headers, a streamed answer with backpressure, the
 * request aborted when the client disconnects, 502 if the platform fails. Takes the platform's address, prints its port.
 */
const pool = new Pool(process.argv[2] ?? '', { connections: 256 })

const server = createServer((request, response) => {
  let sending: Dispatcher.DispatchController | null = null
  response.once('close', () => {
    if (!response.writableFinished) sending?.abort(new Error('the client left'))
  })
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { authorization = '', accept = '*/*' } = request.headers
    const options = {
      path: request.url ?? '/',
      headers: ['content-type', 'application/json', 'authorization', authorization, 'accept', accept],
      body: chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks),
    }
    pool.dispatch(
      { ...options, method: 'POST' },
      {
        onRequestStart(controller) {
          sending = controller
        },
        onResponseStart(_controller, status, headers) {
          const head = ['content-type', String(headers['content-type'] ?? 'application/octet-stream')]
          // An answer in chunks has no length.
          if (headers['content-length'] !== undefined) head.push('content-length', String(headers['content-length']))
          response.writeHead(status, head)
        },
        onResponseData(controller, chunk) {
          if (response.write(chunk)) return
          controller.pause()
          response.once('drain', () => controller.resume())
        },
        onResponseEnd: () => void response.end(),
        onResponseError: () => void (response.headersSent ? response.destroy() : response.writeHead(502).end()),
      },
    )
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
