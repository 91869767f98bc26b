import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createLog } from '../../src/kernel/log.ts'
import { sendRequestError } from '../../src/server/graphql/answer.ts'
import { createWebSockets, type WebSocketOptions } from '../../src/server/graphql/web-sockets/web-sockets.ts'
import type { Handler, HttpContext } from '../../src/server/http/http-context.ts'
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/server/http/http-server.ts'
import { waitFor } from './wait-for.ts'

type Handle = (ctx: HttpContext) => Promise<void> | void

export const answerNothing: Handle = () => {}

/** A server whose `/graphql` has web sockets, and whose operations are answered by `handle`. */
export async function startSocketServer(
  handle: Handle,
  {
    onClosed = () => {},
    http = {},
    ...options
  }: Partial<WebSocketOptions> & { onClosed?: () => void; http?: Partial<HttpServerOptions> } = {},
): Promise<HttpServer> {
  const webSockets = createWebSockets({
    follow: () => new DisposableStack(),
    bodyBytes: 4_096,
    confirmToken: () => Promise.resolve(),
    sockets: { admit: () => Promise.resolve() },
    ...options,
  })
  const upgrade: Handler['upgrade'] = (ctx, upgraded) => {
    upgraded.socket.once('close', onClosed)
    webSockets.upgrade(ctx, upgraded)
  }
  return createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: [],
    metricsFrom: ['loopback'],
    log: createLog('silent'),
    health: {},
    handlers: { '/graphql': { handle, upgrade, answerError: sendRequestError }, '/other': { handle, answerError: sendRequestError } },
    ...http,
  })
}

export type Peer = { readonly socket: WebSocket; readonly messages: string[]; closed: { code: number; reason: string } | null }

export function connect(
  { port }: HttpServer,
  { first = '{"type":"connection_init"}', protocol = 'graphql-transport-ws', autoPong = true } = {},
): Peer {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, [protocol], { autoPong })
  const peer: Peer = { socket, messages: [], closed: null }
  socket.on('message', (data: Buffer) => peer.messages.push(data.toString()))
  socket.on('open', () => first !== '' && socket.send(first))
  socket.on('error', () => undefined)
  socket.on('close', (code, reason) => (peer.closed = { code, reason: reason.toString() }))
  onTestFinished(() => socket.terminate())
  return peer
}

export const acknowledged = '{"type":"connection_ack"}'
export const operation = (id: string, query = '{ a }') => JSON.stringify({ type: 'subscribe', id, payload: { query } })

export async function acknowledge(server: HttpServer, options?: Parameters<typeof connect>[1]): Promise<Peer> {
  const peer = connect(server, options)
  await waitFor(() => peer.messages.includes(acknowledged))
  return peer
}
