import { networkOf } from '../../kernel/network.ts'
import type { Log } from '../../kernel/log.ts'
import type { Connections } from './connections.ts'
import type { HttpContext } from './http-context.ts'
import { knownRequester, type KnownRequesters, type Requester } from './request-log.ts'

/** Bytes of answers that wait in memory for their clients to take them: of one member (or one network without a token), and of all. */
export type UnreadLimits = { readonly memberBytes: number; readonly processBytes: number }
export const defaultUnreadLimits: UnreadLimits = { memberBytes: 32 * 1_048_576, processBytes: 128 * 1_048_576 }

/** Too few to be worth counting. */
const fewBytes = 1_024

/** For requests inside the process: the connection of the client for whom they are sent. */
const outerContexts = new WeakMap<object, HttpContext>()

/** What waits on the connection counts for this client. */
export function countFor(ctx: HttpContext, connection: object): void {
  outerContexts.set(connection, ctx)
}

/** One connection. `answers`: those that wait on it, or the operations of a web socket. */
type Waiting = { readonly ctx: HttpContext; readonly bytes: number; readonly answers: number }
type UnreadOptions = {
  readonly limits: UnreadLimits
  readonly log: Pick<Log, 'warn'>
  /** Counts a connection that is closed. */
  readonly closed: { unread: number }
  readonly principals: KnownRequesters | undefined
}

/**
 * Closes connections whose clients do not read, until what is left is within the limits: the fullest of a member, and of all those of who has most, so
 * that what strangers leave unread costs no member an answer. The same for answers, event streams and web sockets, because each ends in a connection.
 * One answer alone may be larger than a member's limit: somebody with a slow line gets it.
 */
export class UnreadWatch {
  private readonly options: UnreadOptions
  /** What they hold is freed when they are closed, after the time that a close has. */
  private readonly closing = new WeakSet<object>()

  constructor(options: UnreadOptions) {
    this.options = options
  }

  check(connections: Pick<Connections, 'forEach'>): void {
    const bySocket = new Map<object, Waiting>()
    connections.forEach((inner) => {
      const bytes = unreadBytes(inner)
      if (bytes <= fewBytes) return
      const outer = outerContexts.get(inner.request.socket) ?? inner
      const { socket } = outer.request
      if (this.closing.has(socket)) return
      const before = bySocket.get(socket)
      const ctx = before?.ctx ?? outer
      const answers = ctx.onUnread ? ctx.answers : (before?.answers ?? 0) + 1
      bySocket.set(socket, { ctx, bytes: (before?.bytes ?? 0) + bytes, answers })
    })
    if (bySocket.size === 0) return
    const { limits, principals } = this.options
    const close = (one: Waiting): void => this.close(one)
    const byOwner = Map.groupBy(bySocket.values(), ({ ctx }) => ownerOf(ctx, principals))
    const left = [...byOwner.values()].flatMap((own) => within(withSums(own), limits.memberBytes, close))
    within(
      left.toSorted((one, other) => one.upTo - other.upTo),
      limits.processBytes,
      close,
    )
  }

  private close({ ctx, bytes }: Waiting): void {
    const { log, closed, principals } = this.options
    this.closing.add(ctx.request.socket)
    closed.unread += 1
    const requester = requesterIn(ctx, principals)
    log.warn(
      { route: ctx.route, waitingBytes: bytes, workspaceId: requester?.workspaceId, memberId: requester?.memberId },
      'http.answers-unread',
    )
    if (ctx.onUnread) ctx.onUnread()
    else ctx.request.socket.destroy()
  }
}

type Summed = Waiting & { readonly upTo: number }

/** The connections of one owner, the fullest last. `upTo`: its bytes and those of all before it, which is what its owner has while it is open. */
function withSums(own: readonly Waiting[]): readonly Summed[] {
  let upTo = 0
  return own.toSorted((one, other) => one.bytes - other.bytes).map((one) => ({ ...one, upTo: (upTo += one.bytes) }))
}

/** Closes the last ones until the rest has at most so many bytes. Returns the rest. One alone stays if it has one answer. */
function within(waiting: readonly Summed[], most: number, close: (one: Waiting) => void): readonly Summed[] {
  let sum = waiting.reduce((total, { bytes }) => total + bytes, 0)
  const rest = [...waiting]
  for (let last = rest.at(-1); last && sum > most && (rest.length > 1 || last.answers > 1); last = rest.at(-1)) {
    rest.pop()
    sum -= last.bytes
    close(last)
  }
  return rest
}

/** A response has the bytes of its socket too while it is being sent. That of a web socket is never sent. */
function unreadBytes({ heldBytes, response, request, onUnread }: HttpContext): number {
  return heldBytes + (onUnread ? request.socket.writableLength : response.writableLength)
}

function ownerOf(ctx: HttpContext, principals: UnreadOptions['principals']): string {
  const requester = requesterIn(ctx, principals)
  if (requester) return `${requester.workspaceId} ${requester.memberId}`
  // An API key.
  return (ctx.isAuthenticated ? ctx.request.headers.authorization : undefined) ?? networkOf(ctx.clientAddress)
}

function requesterIn({ requester, request }: HttpContext, principals: UnreadOptions['principals']): Requester | null {
  return requester ?? (principals ? knownRequester(request.headers.authorization, principals) : null)
}
