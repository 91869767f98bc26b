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

type Waiting = { readonly ctx: HttpContext; readonly bytes: number; readonly owner: string }
type UnreadOptions = {
  readonly limits: UnreadLimits
  readonly log: Pick<Log, 'warn'>
  /** Counts a connection that is closed. */
  readonly closed: { unread: number }
  readonly principals: KnownRequesters | undefined
}

/**
 * Closes connections whose clients do not read, the fullest first, until what is left is within the limits. The same for answers, event streams and
 * web sockets, because each ends in a connection. One answer alone may be larger than a member's limit: somebody with a slow line gets it.
 */
export class UnreadWatch {
  private readonly options: UnreadOptions
  /** What they hold is freed when they are closed, after the time that a close has. */
  private readonly closing = new WeakSet<HttpContext>()

  constructor(options: UnreadOptions) {
    this.options = options
  }

  check(connections: Pick<Connections, 'forEach'>): void {
    const bytesOf = new Map<HttpContext, number>()
    connections.forEach((inner) => {
      const bytes = unreadBytes(inner)
      if (bytes <= fewBytes) return
      const ctx = outerContexts.get(inner.request.socket) ?? inner
      if (!this.closing.has(ctx)) bytesOf.set(ctx, (bytesOf.get(ctx) ?? 0) + bytes)
    })
    if (bytesOf.size === 0) return
    const { limits, principals } = this.options
    const waiting = Array.from(bytesOf, ([ctx, bytes]) => ({ ctx, bytes, owner: ownerOf(ctx, principals) }))
    const close = (one: Waiting): void => this.close(one)
    const left = [...Map.groupBy(waiting, ({ owner }) => owner).values()].flatMap((own) => within(own, limits.memberBytes, close))
    within(left, limits.processBytes, close)
  }

  private close({ ctx, bytes }: Waiting): void {
    const { log, closed, principals } = this.options
    this.closing.add(ctx)
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

/** Closes the fullest until the rest has at most so many bytes. Returns the rest. The last one stays if it has one answer. */
function within(waiting: readonly Waiting[], most: number, close: (one: Waiting) => void): readonly Waiting[] {
  let sum = waiting.reduce((total, { bytes }) => total + bytes, 0)
  if (sum <= most) return waiting
  const rest = waiting.toSorted((one, other) => one.bytes - other.bytes)
  for (let fullest = rest.at(-1); fullest && sum > most && (rest.length > 1 || fullest.ctx.answers > 1); fullest = rest.at(-1)) {
    rest.pop()
    sum -= fullest.bytes
    close(fullest)
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
