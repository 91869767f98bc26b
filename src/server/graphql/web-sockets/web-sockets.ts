import { GraphQLError, GraphQLSchema, parse } from 'graphql'
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws'
import { type RawData, WebSocketServer } from 'ws'
import { z } from 'zod'
import { toAppError } from '../../http/problem.ts'
import type { Handler } from '../../http/http-context.ts'
import type { GatewayTokens } from '../gateway-tokens.ts'
import type { StreamLimit } from '../stream-limit.ts'
import { Answer } from './answers.ts'
import { createWaitingSockets, limitBeforeToken } from './before-token.ts'
import { Connection, type ConfirmToken } from './connection.ts'
import { TokenQuestions } from './token-questions.ts'
import { UnderWay } from './under-way.ts'

export type WebSocketOptions = {
  /** The longest message of a client. */
  readonly bodyBytes: number
  readonly confirmToken: ConfirmToken
  /** The sockets of one member. */
  readonly sockets: StreamLimit
  readonly follow: GatewayTokens['follow']
  /** The time for the first message, and between two pings. */
  readonly initMs?: number
  readonly pingMs?: number
  /** Sockets of the process whose tokens are not accepted yet. */
  readonly waitingSockets?: number
}

/** Of a message that a client may split, into frames, and each frame into pieces on the network. */
function messageLimits(bodyBytes: number) {
  const [maxFragments, maxBufferedChunks] = [Math.ceil(bodyBytes / 8_192), Math.ceil(bodyBytes / 256)]
  return { maxPayload: bodyBytes, maxFragments: Math.max(16, maxFragments), maxBufferedChunks: Math.max(64, maxBufferedChunks) }
}

/**
 * GraphQL over WebSocket (`graphql-transport-ws`). Each operation is a request to the same path inside the process: it meets the same plans,
 * rights, limits, deadlines, logs and metrics as over HTTP.
 */
export function createWebSockets(options: WebSocketOptions): Required<Pick<Handler, 'upgrade'>> {
  const { bodyBytes, confirmToken, pingMs = 20_000, waitingSockets = 4_000 } = options
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    ...messageLimits(bodyBytes),
    // One message in a round of the event loop.
    allowSynchronousEvents: false,
    handleProtocols,
  })
  const underWay = new UnderWay<Connection>()
  const server = createProtocol(options, underWay)
  const waiting = createWaitingSockets(waitingSockets)
  return {
    upgrade(ctx, { socket, head, post, owner }) {
      webSockets.handleUpgrade(ctx.request, socket, head, (webSocket) => {
        const connection = new Connection({ ctx, post, owner, socket: webSocket, confirmToken })
        const endLimit = limitBeforeToken(socket, () => connection.endTooMuch())
        const endWait = (): void => {
          endLimit()
          waiting.leave(connection)
        }
        connection.onAcknowledged = endWait
        waiting.enter(connection)
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
        const end = (code: number, reason: string): void =>
          void onClosed(code, reason).catch((error: unknown) => ctx.log.error({ err: error }, 'web-socket.close-failed'))
        connection.onEnd = () => end(1000, '')
        webSocket.once('close', (code, reason) => {
          clearInterval(pings)
          endWait()
          end(code, reason.toString())
          underWay.endAll(connection)
        })
      })
    },
  }
}

/** What the library does with the messages of a socket. */
function createProtocol(options: WebSocketOptions, underWay: UnderWay<Connection>) {
  const questions = new TokenQuestions()
  return makeServer<Record<string, unknown> | undefined, Connection>({
    connectionInitWaitTimeout: options.initMs ?? 10_000,
    onConnect: ({ extra: connection, connectionParams }) => connect(connection, connectionParams, { ...options, questions }),
    onPing: ({ extra: connection }) => connection.notePing(),
    onPong: ({ extra: connection }) => connection.notePong(),
    // Parsed, planned and executed by the request.
    onSubscribe: ({ extra: connection }, id) => closeForId(connection, id) ?? connection.refusal() ?? anyOperation,
    subscribe: () => ({}),
    onOperation: ({ extra: connection }, id, payload) => underWay.begin(connection, payload, connection.begin(id, payload)),
    // oxlint-disable-next-line max-params -- the signature is graphql-ws's
    onNext: ({ extra: connection }, _id, _payload, _args, answer) => {
      if (!(answer instanceof Answer)) return undefined
      connection.note(answer.formattedErrors)
      return answer
    },
    // oxlint-disable-next-line max-params -- the signature is graphql-ws's
    onError: ({ extra: connection }, _id, _payload, errors) => errors.flatMap((error) => connection.shown(error)),
    onComplete({ extra: connection }, _id, payload) {
      underWay.complete(connection, payload)
      connection.afterOperation()
    },
  })
}

/** Each answer and each event repeats the id; clients send some forty characters. */
const maxIdChars = 200
const longId = `The id of an operation must have at most ${maxIdChars} characters`

/** Null if the id may be used. */
function closeForId(connection: Connection, id: string): readonly GraphQLError[] | null {
  if (id.length <= maxIdChars) return null
  connection.close(CloseCode.BadRequest, longId)
  return [new GraphQLError(longId)]
}

const anyOperation = { schema: new GraphQLSchema({}), document: parse('subscription { any }') }

const tokenSchema = z.union([
  z.looseObject({ authorization: z.string() }).transform(({ authorization }) => authorization),
  z.looseObject({ Authorization: z.string() }).transform(({ Authorization }) => Authorization),
])

type Connecting = WebSocketOptions & { readonly questions: TokenQuestions }

/** The token of the parameters becomes that of the request which began the socket. */
async function connect(connection: Connection, parameters: unknown, options: Connecting): Promise<boolean> {
  const { confirmToken, sockets, follow, questions } = options
  const { ctx } = connection
  ctx.waitsForClient = false
  const { data: authorization } = tokenSchema.safeParse(parameters)
  if (authorization !== undefined) ctx.request.headers.authorization = authorization
  connection.endWhenRefused(follow)
  try {
    await questions.run(() => confirmToken(ctx), { owner: connection.owner(), ctx })
    await sockets.admit(ctx)
    connection.acknowledge()
    return true
  } catch (error) {
    connection.refuse(toAppError(error))
    return false
  }
}
