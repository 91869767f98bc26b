import { GraphQLSchema, parse } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type RawData, WebSocketServer } from 'ws'
import { z } from 'zod'
import { toAppError } from '../../http/problem.ts'
import type { Handler } from '../../http/http-context.ts'
import type { StreamLimit } from '../stream-limit.ts'
import { Answer } from './answers.ts'
import { Connection, type ConfirmToken } from './connection.ts'

export type WebSocketOptions = {
  /** The longest message of a client. */
  readonly bodyBytes: number
  readonly confirmToken: ConfirmToken
  /** The sockets of one member. */
  readonly sockets: StreamLimit
  /** The time for the first message, and between two pings. */
  readonly initMs?: number
  readonly pingMs?: number
}

/**
 * GraphQL over WebSocket (`graphql-transport-ws`). Each operation is a request to the same path inside the process: it meets the same plans,
 * rights, limits, deadlines, logs and metrics as over HTTP.
 */
export function createWebSockets(options: WebSocketOptions): Required<Pick<Handler, 'upgrade'>> {
  const { bodyBytes, confirmToken, initMs = 10_000, pingMs = 20_000 } = options
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: bodyBytes,
    // One message in a round of the event loop.
    allowSynchronousEvents: false,
    handleProtocols,
  })
  const server = makeServer<Record<string, unknown> | undefined, Connection>({
    connectionInitWaitTimeout: initMs,
    onConnect: ({ extra: connection, connectionParams }) => connect(connection, connectionParams, options),
    // Parsed, planned and executed by the request.
    onSubscribe: ({ extra: connection }) => connection.refusal() ?? anyOperation,
    subscribe: () => ({}),
    onOperation: ({ extra: connection }, id, payload) => connection.begin(id, payload),
    // oxlint-disable-next-line max-params -- the signature is graphql-ws's
    onNext: ({ extra: connection }, _id, _payload, _args, answer) => {
      if (!(answer instanceof Answer)) return undefined
      connection.note(answer.result)
      return answer.result
    },
    // oxlint-disable-next-line max-params -- the signature is graphql-ws's
    onError: ({ extra: connection }, _id, _payload, errors) => errors.flatMap((error) => connection.shown(error)),
    onComplete: ({ extra: connection }) => connection.afterOperation(),
  })
  return {
    upgrade(ctx, { socket, head, post }) {
      webSockets.handleUpgrade(ctx.request, socket, head, (webSocket) => {
        const connection = new Connection({ ctx, post, socket: webSocket, confirmToken })
        const pings = setInterval(() => connection.ping(), pingMs)
        const onClosed = server.opened(
          {
            protocol: webSocket.protocol,
            send: (text) => connection.send(text),
            close: (code = 1000, reason = '') => connection.close(code, reason),
            onMessage: (handle) => webSocket.on('message', (data: RawData) => void connection.receive(data, { handle, bodyBytes })),
          },
          connection,
        )
        webSocket.once('close', (code, reason) => {
          clearInterval(pings)
          onClosed(code, reason.toString()).catch((error: unknown) => ctx.log.error({ err: error }, 'web-socket.close-failed'))
        })
      })
    },
  }
}

const anyOperation = { schema: new GraphQLSchema({}), document: parse('subscription { any }') }

const tokenSchema = z.union([
  z.looseObject({ authorization: z.string() }).transform(({ authorization }) => authorization),
  z.looseObject({ Authorization: z.string() }).transform(({ Authorization }) => Authorization),
])

/** The token of the parameters becomes that of the request which began the socket. */
async function connect(connection: Connection, parameters: unknown, { confirmToken, sockets }: WebSocketOptions): Promise<boolean> {
  const { ctx } = connection
  ctx.waitsForClient = false
  const { data: authorization } = tokenSchema.safeParse(parameters)
  if (authorization !== undefined) ctx.request.headers.authorization = authorization
  try {
    await confirmToken(ctx)
    await sockets.admit(ctx)
    connection.acknowledge()
    return true
  } catch (error) {
    connection.refuse(toAppError(error))
    return false
  }
}
