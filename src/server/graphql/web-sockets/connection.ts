import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { MessageType, type SubscribePayload } from 'graphql-ws'
import type { RawData, WebSocket } from 'ws'
import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import { checkJson, graphqlLimits } from '../../../kernel/json-limits.ts'
import type { HttpContext } from '../../http/http-context.ts'
import { toAppError } from '../../http/problem.ts'
import type { Upgraded } from '../../http/upgraded.ts'
import { formattedError } from '../errors.ts'
import { type Answer, answersTo, RefusedOperation } from './answers.ts'

/** Rejects if the platform does not accept the token of the request. */
export type ConfirmToken = (ctx: HttpContext) => Promise<void>
type ConnectionOptions = Pick<Upgraded, 'post'> & {
  readonly ctx: HttpContext
  readonly socket: WebSocket
  readonly confirmToken: ConfirmToken
}
type Receiving = { readonly handle: (text: string) => Promise<void>; readonly bodyBytes: number }

/** Why the service closes a socket. Clients of the protocol connect again after all of these but 4400 and 4429. */
const closeCodes: Readonly<Partial<Record<ErrorCode, number>>> = { UNAUTHENTICATED: 4403, FORBIDDEN: 4403, RATE_LIMITED: 4429 }
const badRequest = 4400
const tryAgainLater = 1013
const goingAway = 1001
/** A close frame has room for 123, and the last character may be cut. */
const maxReasonBytes = 120
/** Of the socket in the ids of its requests. */
const maxIdChars = 100
/** Operations of one socket at once. */
const maxRunning = 50
/** What may wait for the reader of a socket before it is given up. */
const maxWaitingBytes = 16 * 1_048_576
/** For a peer to close its side. */
const lingerMs = 2_000
/** For operations that are under way when the service stops. */
const lastAnswersMs = 4_000

/** One web socket with its operations. */
export class Connection {
  readonly ctx: HttpContext
  private readonly post: Upgraded['post']
  private readonly socket: WebSocket
  private readonly confirmToken: ConfirmToken
  private running = 0
  private begun = 0
  /** Pings without an answer. */
  private missed = 0
  private isAcknowledged = false
  private isStopping = false
  /** An operation met a token that has ended. */
  private hasRefusedToken = false

  constructor({ ctx, post, socket, confirmToken }: ConnectionOptions) {
    this.ctx = ctx
    this.post = post
    this.socket = socket
    this.confirmToken = confirmToken
    socket.on('pong', () => (this.missed = 0))
    // The library answers each ping.
    socket.on('ping', () => this.giveUpSlowReader())
    // It closes the socket itself, with the code of the error.
    socket.on('error', (error) => ctx.log.debug({ err: error }, 'web-socket.failed'))
    ctx.onAbort((cause) => {
      if (cause === 'STOPPING') this.stop()
    })
  }

  /**
   * Runs an operation as a request of its own. The protocol does not say that a subscription was accepted, and nothing may be there to send: a ping,
   * which every client answers and none needs, says it.
   */
  begin(id: string, payload: SubscribePayload): AsyncIterable<Answer> {
    const { ctx } = this
    this.running += 1
    this.begun += 1
    const { authorization } = ctx.request.headers
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-request-id': `${ctx.requestId.slice(0, maxIdChars)}.${this.begun}`,
      ...(authorization !== undefined && { authorization }),
    }
    const ping = JSON.stringify({ type: MessageType.Ping, payload: { opened: id } })
    return answersTo(this.post(ctx.path, headers, JSON.stringify(payload)), () => void this.send(ping))
  }

  /** The error for one more operation than allowed; null if it may begin. */
  refusal(): readonly GraphQLError[] | null {
    if (this.running < maxRunning) return null
    const error = new AppError('TOO_MANY_STREAMS', { detail: tooMany, data: { limit: maxRunning } })
    return [new GraphQLError(error.message, { originalError: error })]
  }

  /** Takes notice of a result on its way to the client. */
  note({ errors }: Pick<FormattedExecutionResult, 'errors'>): void {
    if (errors?.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED')) this.hasRefusedToken = true
  }

  /** The errors of an operation that failed, as clients see them. */
  shown({ originalError }: GraphQLError): readonly GraphQLFormattedError[] {
    if (originalError instanceof RefusedOperation) {
      this.note(originalError)
      return originalError.errors
    }
    const error = toAppError(originalError)
    if (error.reason === 'UNKNOWN') this.ctx.log.error({ err: originalError }, 'web-socket.operation-failed')
    return [formattedError(error, this.ctx.requestId)]
  }

  /** An operation is over, and its last message is being sent. */
  afterOperation(): void {
    this.running -= 1
    setImmediate(() => {
      if (this.hasRefusedToken) void this.checkToken()
      if (this.isStopping && this.running === 0) this.refuse(new AppError('STOPPING'))
    })
  }

  /** The client has shown a token that the platform accepts. */
  acknowledge(): void {
    this.isAcknowledged = true
  }

  async receive(data: RawData, { handle, bodyBytes }: Receiving): Promise<void> {
    this.missed = 0
    try {
      const message = Buffer.isBuffer(data) ? data : Buffer.alloc(0)
      checkJson(message, graphqlLimits(bodyBytes), 'message')
      await handle(message.toString())
    } catch (error) {
      this.ctx.log.debug({ err: error }, 'web-socket.message-refused')
      this.close(badRequest, error instanceof AppError ? error.message : 'The message is not allowed')
    }
  }

  /**
   * Resolves when the message has been handed to the network, so that a slow reader slows its operations down. Never if the socket is closed: an
   * operation must not run on at full speed until it is ended.
   */
  send(text: string): Promise<void> {
    const { socket } = this
    this.giveUpSlowReader()
    return new Promise((resolve) => {
      if (socket.readyState !== socket.OPEN) return
      socket.send(text, (error) => {
        if (!error) resolve()
      })
    })
  }

  /** Ends a socket whose peer has not answered the last two pings, or whose token has ended. Two, because an answer may wait to be read here. */
  ping(): void {
    if (this.missed === 2) return this.socket.terminate()
    this.missed += 1
    this.socket.ping()
    if (this.isAcknowledged) void this.checkToken()
  }

  refuse(error: AppError): void {
    const code = error.reason === 'STOPPING' ? goingAway : (closeCodes[error.code] ?? tryAgainLater)
    this.close(code, `${error.reason}: ${error.message}`)
  }

  close(code: number, reason: string): void {
    this.socket.close(code, Buffer.from(reason).subarray(0, maxReasonBytes))
    // The socket is destroyed then.
    this.ctx.deadlineAt = performance.now() + lingerMs
    this.ctx.waitsForClient = true
  }

  private async checkToken(): Promise<void> {
    this.hasRefusedToken = false
    try {
      await this.confirmToken(this.ctx)
    } catch (error) {
      const shown = toAppError(error)
      // A platform that is away ends nothing.
      if (shown.code === 'UNAUTHENTICATED') this.refuse(shown)
    }
  }

  private giveUpSlowReader(): void {
    if (this.socket.bufferedAmount <= maxWaitingBytes) return
    this.ctx.log.warn({ waitingBytes: this.socket.bufferedAmount }, 'web-socket.reader-too-slow')
    this.socket.terminate()
  }

  private stop(): void {
    this.isStopping = true
    if (this.running === 0) return this.refuse(new AppError('STOPPING'))
    this.ctx.deadlineAt = performance.now() + lastAnswersMs
  }
}

const tooMany = `A socket has at most ${maxRunning} operations under way: complete one first, or open another socket`
