import { createServer } from 'node:http'
import { Pool } from 'undici'

/** The least that a proxy on undici does: collect, dispatch, write back. Takes the platform's address, prints its port. */
const pool = new Pool(process.argv[2] ?? '', { connections: 256 })

const server = createServer((request, response) => {
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
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          response.writeHead(status, ['content-type', headers['content-type'] ?? '', 'content-length', headers['content-length'] ?? ''])
        },
        onResponseData(controller, chunk) {
          if (response.write(chunk)) return
          controller.pause()
          response.once('drain', () => controller.resume())
        },
        onResponseEnd: () => void response.end(),
        onResponseError: () => void response.destroy(),
      },
    )
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
