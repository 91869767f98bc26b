import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { boundedFetch } from '../../src/providers/models/bounded-fetch.ts'

/** A server that answers each path in its own way. */
async function startServer(ways: Readonly<Record<string, (response: ServerResponse) => void>>) {
  const server = createServer((request, response) => ways[request.url ?? '']?.(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('an answer of a model that unpacks to much more than it has bytes ends with an error; others come whole', async () => {
  const bomb = gzipSync(Buffer.alloc(32 * 1_048_576))
  expect(bomb.length).toBeLessThan(64 * 1_024)
  await using server = await startServer({
    '/bomb': (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    '/long': (response) => void response.writeHead(201, { 'x-own': 'a' }).end(Buffer.alloc(1_048_576, 'a')),
    '/elsewhere': (response) => void response.writeHead(307, { location: '/long' }).end(),
  })
  await expect((await boundedFetch(`${server.url}/bomb`)).text()).rejects.toThrow('too large')
  const answer = await boundedFetch(`${server.url}/long`)
  expect([answer.status, answer.headers.get('x-own'), (await answer.text()).length]).toEqual([201, 'a', 1_048_576])
  await expect(boundedFetch(`${server.url}/elsewhere`)).rejects.toThrow('fetch failed')
})
