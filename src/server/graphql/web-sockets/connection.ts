import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { MessageType, type SubscribePayload } from 'graphql-ws'
import type { RawData, WebSocket } from 'ws'
import { scaled } from '../../../kernel/deadlines.ts'
import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import { checkJson, graphqlLimits } from '../../../kernel/json-limits.ts'
import type { HttpContext } from '../../http/http-context.ts'
import { toAppError } from '../../http/problem.ts'
import { bearerToken } from '../../http/request-context.ts'
import type { Upgraded } from '../../http/upgraded.ts'
import { formattedError } from '../errors.ts'
import type { GatewayTokens } from '../gateway-tokens.ts'
import { type Answer, answersTo, RefusedOperation } from './answers.ts'
import { beforeToken } from './before-token.ts'

/** Rejects if the platform does not accept the token of the request. */
export type ConfirmToken = (ctx: HttpContext) => Promise<void>
type ConnectionOptions = Pick<Upgraded, 'post' | 'owner'> & {
  readonly ctx: HttpContext
  readonly socket: WebSocket
  readonly confirmToken: ConfirmToken
}
type Receiving = { readonly handle: (text: string) => Promise<void>; readonly bodyBytes: number }

/** Why the service closes a socket. Clients of the protocol connect again after all of these but 4400 and 4429. */
const closeCodes: Readonly<Partial<Record<ErrorCode, number>>> = { UNAUTHENTICATED: 4403, FORBIDDEN: 4403, RATE_LIMITED: 4429 }
const badRequest = 4400
const tooManyRequests = 4429
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
/** The same, for one that has sent more than it may. */
const briefLingerMs = 200
/** Pings of the client, of the protocol and of web sockets, and pongs that nobody asked for: so many at once, then in a second. */
const signals = { atOnce: 200, perSecond: 10 }
/** For operations that are under way when the service stops. */
const lastAnswersMs = 4_000
/** For operations that are under way when the token ends: one of them may be the sign-out. */
const afterTokenMs = 1_000

/** One web socket with its operations. */
export class Connection {
  readonly ctx: HttpContext
  /** Whose socket it is, as far as that is known here. */
  readonly owner: Upgraded['owner']
  private readonly post: Upgraded['post']
  private readonly socket: WebSocket
  private readonly confirmToken: ConfirmToken
  /** The client has shown a token that the platform accepts. */
  onAcknowledged: () => void = () => {}
  /** Ends the operations without a word to the client. */
  onEnd: () => void = () => {}
  private begun = 0
  /** Pings without an answer. */
  private missed = 0
  /** Pings and pongs that may come now. */
  private signalsLeft = signals.atOnce
  private signalledAt = performance.now()
  /** Pongs that answer pings of the service. */
  private owedPongs = 0
  private lastLock: Promise<void> = Promise.resolve()
  private isAcknowledged = false
  private isStopping = false
  /** An operation met a token that has ended. */
  private hasRefusedToken = false
  /** The token has ended: the socket closes after the operations that are under way. */
  private ended: AppError | null = null

  constructor({ ctx, post, owner, socket, confirmToken }: ConnectionOptions) {
    this.ctx = ctx
    ctx.answers = 0
    this.post = post
    this.owner = owner
    this.socket = socket
    this.confirmToken = confirmToken
    socket.on('pong', () => {
      this.missed = 0
      this.notePong()
    })
    // The library answers each ping.
    socket.on('ping', () => {
      this.giveUpSlowReader()
      this.notePing()
    })
    // It closes the socket itself, with the code of the error.
    socket.on('error', (error) => ctx.log.debug({ err: error }, 'web-socket.failed'))
    ctx.onUnread = () => this.endUnread()
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
    ctx.answers += 1
    this.begun += 1
    const { authorization } = ctx.request.headers
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-request-id': `${ctx.requestId.slice(0, maxIdChars)}.${this.begun}`,
      ...(authorization !== undefined && { authorization }),
    }
    const ping = JSON.stringify({ type: MessageType.Ping, payload: { opened: id } })
    return answersTo(this.post(ctx.path, headers, JSON.stringify(payload)), {
      onStream: () => {
        this.owedPongs += 1
        void this.send(ping)
      },
      onHeld: (chars) => (ctx.heldBytes += chars),
      lock: () => this.lock(),
    })
  }

  /** One large answer of a socket at a time is read and sent. The others wait as they are. */
  private async lock(): Promise<() => void> {
    const [before, own] = [this.lastLock, Promise.withResolvers<void>()]
    this.lastLock = own.promise
    await before
    return () => own.resolve()
  }

  /** The error for one more operation than allowed; null if it may begin. */
  refusal(): readonly GraphQLError[] | null {
    if (this.ctx.answers < maxRunning) return null
    const error = new AppError('TOO_MANY_STREAMS', { detail: tooMany, data: { limit: maxRunning } })
    return [new GraphQLError(error.message, { originalError: error })]
  }

  /** Takes notice of a result on its way to the client. */
  note(errors: FormattedExecutionResult['errors']): void {
    if (errors?.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED')) this.hasRefusedToken = true
  }

  /** The errors of an operation that failed, as clients see them. */
  shown({ originalError }: GraphQLError): readonly GraphQLFormattedError[] {
    if (originalError instanceof RefusedOperation) {
      this.note(originalError.errors)
      return originalError.errors
    }
    const error = toAppError(originalError)
    if (error.reason === 'UNKNOWN') this.ctx.log.error({ err: originalError }, 'web-socket.operation-failed')
    return [formattedError(error, this.ctx.requestId)]
  }

  /** An operation is over, and its last message is being sent. */
  afterOperation(): void {
    this.ctx.answers -= 1
    setImmediate(() => {
      if (this.hasRefusedToken) void this.checkToken()
      if (this.ended && this.ctx.answers === 0) this.refuse(this.ended)
      if (this.isStopping && this.ctx.answers === 0) this.refuse(new AppError('STOPPING'))
    })
  }

  /** Closes the socket when the sign-in of its token ends. */
  endWhenRefused(follow: GatewayTokens['follow']): void {
    const token = bearerToken(this.ctx.request.headers.authorization)
    if (token === null) return
    const following = follow(token, (refusal) => this.endWith(refusal))
    this.socket.once('close', () => following[Symbol.dispose]())
  }

  /** The client has shown a token that the platform accepts. */
  acknowledge(): void {
    this.isAcknowledged = true
    this.onAcknowledged()
  }

  /** Of the protocol, or a frame. */
  notePong(): void {
    if (this.owedPongs > 0) this.owedPongs -= 1
    else this.notePing()
  }

  notePing(): void {
    const now = performance.now()
    this.signalsLeft = Math.min(signals.atOnce, this.signalsLeft + ((now - this.signalledAt) / 1_000) * signals.perSecond) - 1
    this.signalledAt = now
    if (this.signalsLeft < 0) this.cut(tooManyRequests, `Too many pings and pongs: at most ${signals.perSecond} a second`)
  }

  /** The client has sent more than a token needs, before one is accepted. */
  endTooMuch(): void {
    this.cut(
      badRequest,
      `Too much was sent before connection_ack: at most ${beforeToken.bytes} bytes, ${beforeToken.pieces} pieces, ${beforeToken.frames} frames`,
    )
  }

  /** The client has shown no token yet. */
  get isSilent(): boolean {
    return this.ctx.waitsForClient
  }

  /** Too many sockets wait for their tokens, and this one does so for the longest time. */
  makeRoom(): void {
    this.cut(tryAgainLater, 'Too many sockets are being opened: try again later')
  }

  async receive(data: RawData, { handle, bodyBytes }: Receiving): Promise<void> {
    this.missed = 0
    // What comes after the close begins nothing any more.
    if (this.socket.readyState !== this.socket.OPEN) return
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
    this.owedPongs += 1
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
    this.ctx.deadlineAt = performance.now() + scaled(lingerMs)
    this.ctx.waitsForClient = true
  }

  /** Closes the socket, and reads nothing of it any more. */
  private cut(code: number, reason: string): void {
    this.socket.pause()
    this.close(code, reason)
    setTimeout(() => this.socket.terminate(), briefLingerMs).unref()
  }

  private async checkToken(): Promise<void> {
    this.hasRefusedToken = false
    try {
      await this.confirmToken(this.ctx)
    } catch (error) {
      const shown = toAppError(error)
      // A platform that is away ends nothing.
      if (shown.code === 'UNAUTHENTICATED') this.endWith(shown)
    }
  }

  private endWith(refusal: AppError): void {
    if (this.ended) return
    this.ended = refusal
    if (this.ctx.answers === 0) return this.refuse(refusal)
    setTimeout(() => this.refuse(refusal), afterTokenMs).unref()
  }

  private giveUpSlowReader(): void {
    const { bufferedAmount, readyState, OPEN } = this.socket
    if (bufferedAmount <= maxWaitingBytes || readyState !== OPEN) return
    this.ctx.log.warn({ waitingBytes: bufferedAmount }, 'web-socket.reader-too-slow')
    this.endUnread()
  }

  /** The reason comes behind what waits, for a client that reads all of it in the time that a close has. */
  private endUnread(): void {
    this.close(tryAgainLater, 'Too many answers were not read: read what comes, or ask for less at once')
    this.onEnd()
  }

  private stop(): void {
    this.isStopping = true
    if (this.ctx.answers === 0) return this.refuse(new AppError('STOPPING'))
    this.ctx.deadlineAt = performance.now() + lastAnswersMs
  }
}

const tooMany = `A socket has at most ${maxRunning} operations under way: complete one first, or open another socket`
