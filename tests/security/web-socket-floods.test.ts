import { setImmediate as nextRound } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { HttpContext } from '../../src/server/http/http-context.ts'
import type { WebSocketOptions } from '../../src/server/graphql/web-sockets/web-sockets.ts'
import { frame, opcodes, openRawWebSocket, type RawWebSocket, unfinishedFrame } from '../harness/raw-web-socket.ts'
import { acknowledge, acknowledged, answerNothing, connect, operation, startSocketServer } from '../harness/socket-server.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inFlight } from '../prove/stage/client.ts'

const initialise = frame(opcodes.text, '{"type":"connection_init"}')
const ping = frame(opcodes.ping)
const fragments = (count: number, payload: string): Buffer =>
  Buffer.concat(
    Array.from({ length: count }, (_, index) => frame(index === 0 ? opcodes.text : opcodes.continuation, payload, { fin: false })),
  )

async function open(options: Partial<WebSocketOptions> = {}): Promise<RawWebSocket> {
  const server = await startSocketServer(answerNothing, { bodyBytes: 1_048_576, ...options })
  const client = await openRawWebSocket(server.port)
  onTestFinished(async () => {
    client.socket.destroy()
    await server[Symbol.asyncDispose]()
  })
  return client
}

describe('before connection_init is acknowledged', () => {
  const tooMuch = { code: 4400, reason: 'Too much was sent before connection_ack: at most 12288 bytes, 32 pieces, 16 frames' }

  test('12 kB of an unfinished message close the socket', async () => {
    const client = await open()
    client.socket.write(unfinishedFrame(Buffer.alloc(13_000), 1_000_000))
    await waitFor(() => client.ended)
    expect(client.closed).toEqual(tooMuch)
  })

  test('32 pieces on the network close the socket, however small they are', async () => {
    const client = await open()
    client.socket.write(unfinishedFrame(Buffer.alloc(1), 1_000_000))
    for (let pieces = 0; pieces < 10_000 && !client.ended; pieces += 1) {
      if (client.socket.writable) client.socket.write('x')
      await nextRound()
    }
    await waitFor(() => client.ended)
    expect(client.closed).toEqual(tooMuch)
  })

  test.each([
    ['pings', Array.from({ length: 17 }, () => ping)],
    ['empty fragments of a message', [fragments(17, '')]],
    ['fragments of 200 bytes', [fragments(17, 'x'.repeat(200))]],
  ])('17 %s close the socket, in one piece and cut anywhere; 16 frames are let in', async (_what, frames) => {
    const bytes = Buffer.concat(frames)
    const within = await open()
    within.socket.write(Buffer.concat([...Array.from({ length: 15 }, () => frame(opcodes.ping)), initialise]))
    await waitFor(() => within.messages.includes(acknowledged))
    const [whole, cut] = [await open(), await open()]
    whole.socket.write(bytes)
    for (const [start, end] of [
      [0, 1],
      [1, 7],
      [7, 60],
      [60, bytes.length],
    ]) {
      cut.socket.write(bytes.subarray(start, end))
      await nextRound()
    }
    await waitFor(() => whole.ended && cut.ended)
    expect([whole.closed, cut.closed]).toEqual([tooMuch, tooMuch])
  })

  test('while a token is being confirmed too', async () => {
    const client = await open({ confirmToken: () => new Promise(() => {}) })
    client.socket.write(Buffer.concat([initialise, unfinishedFrame(Buffer.alloc(13_000), 1_000_000)]))
    await waitFor(() => client.ended)
    expect(client.closed).toEqual(tooMuch)
  })

  test('a token of 8 kB is let in, and messages may be long from then on, in many frames', async () => {
    const client = await open()
    const payload = { authorization: `Bearer ${'a'.repeat(8_192)}` }
    client.socket.write(frame(opcodes.text, JSON.stringify({ type: 'connection_init', payload })))
    await waitFor(() => client.messages.includes(acknowledged))
    const piece = Buffer.alloc(8_000, ' ')
    client.socket.write(frame(opcodes.text, piece, { fin: false }))
    for (let frames = 0; frames < 100; frames += 1) client.socket.write(frame(opcodes.continuation, piece, { fin: false }))
    client.socket.write(frame(opcodes.continuation, '{"type":"ping"}'))
    await waitFor(() => client.messages.includes('{"type":"pong"}'))
    expect(client.closed).toBeNull()
  })

  test('the oldest of the sockets that wait for a token is closed for a new one; one with a token stays', async () => {
    await using server = await startSocketServer(answerNothing, { waitingSockets: 2 })
    const withToken = await acknowledge(server)
    const [oldest, other, newest] = [connect(server, { first: '' }), connect(server, { first: '' }), connect(server, { first: '' })]
    await waitFor(() => [oldest, other, newest].some(({ closed }) => closed !== null))
    expect([oldest, other, newest].filter(({ closed }) => closed !== null)).toMatchObject([
      { closed: { code: 1013, reason: 'Too many sockets are being opened: try again later' } },
    ])
    expect(withToken.closed).toBeNull()
  })

  test('a socket whose token is being confirmed stays: one that has shown none is closed for a new one', async () => {
    const confirming = Promise.withResolvers<void>()
    let asked = 0
    const confirmToken = (): Promise<void> => {
      asked += 1
      return confirming.promise
    }
    await using server = await startSocketServer(answerNothing, { waitingSockets: 2, confirmToken })
    const shown = connect(server)
    await waitFor(() => asked === 1)
    const [silent, other] = [connect(server, { first: '' }), connect(server, { first: '' })]
    await waitFor(() => silent.closed !== null || other.closed !== null)
    confirming.resolve()
    await waitFor(() => shown.messages.includes(acknowledged))
    expect(shown.closed).toBeNull()
  })

  test('tokens of nobody known are asked about 8 at a time for an address and 32 in all, in turn; the socket of a known member waits for none', async () => {
    const asked: { readonly address: string; readonly confirm: () => void }[] = []
    const confirmToken = ({ clientAddress: address }: HttpContext): Promise<void> =>
      new Promise((confirm) => void asked.push({ address, confirm }))
    const member = { workspaceId: 'demo', memberId: 'm' }
    const principals = {
      known: (token: string) => (token === 'known' ? member : null),
      resolve: () => Promise.resolve({ role: null }),
    }
    let closed = 0
    await using server = await startSocketServer(answerNothing, { confirmToken, http: { principals }, onClosed: () => (closed += 1) })
    const show = async (host: number): Promise<RawWebSocket> => {
      const client = await openRawWebSocket(server.port, { localAddress: `127.0.0.${host}` })
      onTestFinished(() => void client.socket.destroy())
      client.socket.write(Buffer.concat([initialise, frame(opcodes.text, '{"type":"ping"}')]))
      await waitFor(() => client.messages.includes('{"type":"pong"}'))
      return client
    }
    const flood = await inFlight(10, 10, async () => show(2))
    expect(asked).toHaveLength(8)
    for (const host of [3, 4, 5]) await inFlight(10, 10, async () => show(host))
    expect(asked).toHaveLength(32)
    const known = connect(server, { first: JSON.stringify({ type: 'connection_init', payload: { authorization: 'Bearer known' } }) })
    await waitFor(() => asked.length === 33)
    asked[32]?.confirm()
    await waitFor(() => known.messages.includes(acknowledged))
    const leaving = await show(7)
    leaving.socket.destroy()
    await show(8)
    await waitFor(() => closed === 1)
    expect(asked).toHaveLength(33)
    // Of the addresses the one that has the least.
    asked[0]?.confirm()
    await waitFor(() => asked.length === 34)
    expect(asked[33]?.address).toBe('127.0.0.8')
    // All come to their turn.
    for (let done = 1; done < 42; done += 1) {
      await waitFor(() => asked.length > done)
      asked[done]?.confirm()
    }
    await waitFor(() => flood.every(({ messages }) => messages.includes(acknowledged)))
    expect(asked).toHaveLength(42)
  })

  test('200 agents behind one address open two sockets each at the same moment', async () => {
    await using server = await startSocketServer(answerNothing)
    const peers = await inFlight(400, 400, async () => acknowledge(server))
    expect(peers.filter(({ closed }) => closed !== null)).toEqual([])
  })
})

describe('after connection_init is acknowledged', () => {
  const begin = async (): Promise<RawWebSocket> => {
    const client = await open()
    client.socket.write(initialise)
    await waitFor(() => client.messages.includes(acknowledged))
    return client
  }

  test.each([
    ['pings', ping],
    ['pongs', frame(opcodes.pong)],
    ['messages with a ping', frame(opcodes.text, '{"type":"ping"}')],
    ['messages with a pong', frame(opcodes.text, '{"type":"pong"}')],
  ])('250 %s at once close the socket', async (_what, one) => {
    const client = await begin()
    client.socket.write(Buffer.concat(Array.from({ length: 250 }, () => one)))
    await waitFor(() => client.ended)
    expect(client.closed).toEqual({ code: 4429, reason: 'Too many pings and pongs: at most 10 a second' })
  })

  test.each([
    ['empty', ''],
    ['small', 'x'],
  ])('200 %s fragments of a message close the socket', async (_what, payload) => {
    const client = await begin()
    client.socket.write(fragments(200, payload))
    await waitFor(() => client.closed !== null)
    expect(client.closed?.code).toBe(1008)
  })

  test('100 pings at once are answered', async () => {
    const client = await begin()
    client.socket.write(Buffer.concat(Array.from({ length: 100 }, () => ping)))
    client.socket.write(frame(opcodes.text, operation('1')))
    client.socket.write(frame(opcodes.text, '{"type":"ping"}'))
    await waitFor(() => client.messages.includes('{"type":"pong"}'))
    expect(client.closed).toBeNull()
  })
})
