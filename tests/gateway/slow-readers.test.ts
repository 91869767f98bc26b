import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startGateway } from '../harness/gateway.ts'
import { startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const answerBytes = 50_000_000
const readBytes = 1_024
/** What one reading of a socket gives is 64 kB: one piece waits for the client, one is not read yet, one may be on its way between them. */
const heldBytes = 3 * 65_536

test('a reader of 1 kB at a time makes the service hold 192 kB of an answer of 50 MB, not more', async () => {
  const piece = Buffer.alloc(100_000, 'x')
  let written = 0
  let mostHeld = 0
  await using held = watchBuffers()
  await using upstream = await startUpstream(async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    for (; written < answerBytes && !response.destroyed; written += piece.length) {
      if (!response.write(piece)) await once(response, 'drain').catch(() => null)
      mostHeld = Math.max(mostHeld, held.bytes())
    }
    response.end('}')
  })
  await using gateway = await startGateway({ platformUrl: upstream.url })
  held.watch({ service: gateway.url, platform: upstream.url })
  const reader = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  reader.on('error', () => {})
  const body = JSON.stringify({ query: '{ big }' })
  reader.write(`POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  const read = (): boolean => {
    reader.read(readBytes)
    mostHeld = Math.max(mostHeld, held.bytes())
    return mostHeld > 0
  }
  await waitFor(read, { what: 'the buffers of the connection to be full' })
  for (let reads = 0; reads < 200; reads += 1) {
    await immediate()
    read()
  }
  expect(mostHeld).toBeLessThanOrEqual(heldBytes)
  // The rest waits on the platform.
  expect(written).toBeLessThan(answerBytes)
  reader.destroy()
  await waitFor(() => gateway.inFlight() === 0 && held.bytes() === 0 && upstream.open() === 0, { what: 'the request to end' })
})

const started = z.object({ response: z.instanceof(ServerResponse), socket: z.instanceof(Socket) })
const connected = z.object({ socket: z.instanceof(Socket) })

/** The bytes of answers that the service holds: read from the platform's connections, or written and not yet taken by the client's. */
function watchBuffers() {
  let ports = { service: 0, platform: 0 }
  const responses: ServerResponse[] = []
  const sockets: Socket[] = []
  const onRequest = (message: unknown): void => {
    const { response, socket } = started.parse(message)
    if (socket.localPort === ports.service) responses.push(response)
  }
  const onConnected = (message: unknown): void => {
    const { socket } = connected.parse(message)
    if (socket.remotePort === ports.platform) sockets.push(socket)
  }
  subscribe('http.server.request.start', onRequest)
  subscribe('undici:client:connected', onConnected)
  return {
    watch({ service, platform }: { service: string; platform: string }) {
      ports = { service: Number(new URL(service).port), platform: Number(new URL(platform).port) }
    },
    bytes(): number {
      const waiting = responses.filter((response) => !response.destroyed).map((response) => response.writableLength)
      const unread = sockets.filter((socket) => !socket.destroyed).map((socket) => socket.readableLength)
      return [...waiting, ...unread].reduce((sum, one) => sum + one, 0)
    },
    async [Symbol.asyncDispose]() {
      unsubscribe('http.server.request.start', onRequest)
      unsubscribe('undici:client:connected', onConnected)
    },
  }
}
