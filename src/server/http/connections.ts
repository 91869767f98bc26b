import type { Socket } from 'node:net'
import { networkOf } from '../../kernel/network.ts'
import type { Arrived, BeginQueue } from './begin-queue.ts'
import type { AddressLimit } from './address-limit.ts'
import { addressOf } from './client-address.ts'
import type { Connection } from './connection.ts'
import type { HttpContext } from './http-context.ts'
import { arrives, beginInRounds, countUnderWay, countWaiting } from './pipelining.ts'

/**
 * The open connections with their HTTP contexts that are under way. This needs one listener for each connection instead of one for each
 * request, and no collection that every request enters and leaves: that alone would cost a sixth of a passed-through request.
 */
export type Connections = {
  /** Takes a new connection; closes it with an answer if its address has too many. */
  open(socket: Socket): void
  /**
   * Calls `begin` of a request, or gives it to the queue: now, or in a later round of the event loop if many came in one piece. Closes a
   * connection with too many.
   */
  begin(arrived: Arrived, queue?: Pick<BeginQueue, 'add'>): void
  /** Counts a request that arrives. False if its connection has too many, and is closed. */
  arrives({ request, response }: Pick<Arrived, 'request' | 'response'>): boolean
  /** Whether all requests that have arrived on the connection have their answers. */
  isAnswered(socket: Socket): boolean
  /** False if the client's address has too many connections: the request must be refused. */
  enter(ctx: HttpContext): boolean
  /** Whether a request of the connection is under way that has come whole, or whose answer has begun. */
  isAnswering(socket: Socket): boolean
  /** Whether requests of the connection have arrived that have not begun yet. */
  hasWaiting(socket: Socket): boolean
  /** A request was answered that has not entered: the connection is in use. */
  hasAnswered(socket: Socket): void
  /** Calls `visit` for every context under way. Reports and removes those that are over. */
  forEach(visit: (ctx: HttpContext) => void): void
  readonly count: () => number
  readonly inFlight: () => number
  /**
   * Closes what lingers: a connection that the service has ended and the client has not, and one without a request for longer than
   * keep-alive allows. A request that is under way has a deadline of its own.
   */
  closeLingering(): void
  /**
   * While the service stops: closes the connections that have sent nothing (browsers open some ahead), but not those that have just been
   * opened, and those that have sent no whole request for a second.
   */
  closeIdle(): void
}

const connectionKey = Symbol('connection')
type TaggedSocket = Socket & { [connectionKey]?: Connection }
type OnOver = (ctx: HttpContext) => void

/** `lingerMs`: for the client to read the last answer and to close its side. `idleMs`: without a request; empty lines do not count. */
type Patience = { readonly lingerMs: number; readonly idleMs: number }
const whileStopping = { newMs: 250, incompleteMs: 1_000 }

type Hooks = { readonly onOver: OnOver; readonly onClosed: (cause: 'lingering' | 'pipelined') => void }

export function createConnections(limit: AddressLimit, patience: Patience, { onOver, onClosed }: Hooks): Connections {
  const open = new Set<Connection>()

  const attach = (socket: TaggedSocket): Connection => {
    const connection = newConnection(socket)
    socket[connectionKey] = connection
    open.add(connection)
    socket.once('close', () => {
      open.delete(connection)
      limit.release(connection)
      abortAll(connection, onOver)
    })
    return connection
  }
  const connectionOf = (socket: TaggedSocket): Connection => socket[connectionKey] ?? attach(socket)
  const tidy = (connection: Connection): void => {
    if (connection.lastResponse?.writableFinished) connection.lastResponse = null
    if (connection.newest === null) return
    if (removeOver(connection, onOver)) limit.release(connection)
    if (connection.newest !== null) return
    connection.idleSince = performance.now()
    if (connection.isProxied) limit.release(connection)
  }

  return {
    arrives: ({ request, response }) => arrives(connectionOf(request.socket), response) || closePipelined(request.socket, onClosed),
    isAnswered: (socket: TaggedSocket) => socket[connectionKey]?.lastResponse?.writableFinished ?? true,
    begin(arrived, queue) {
      const { socket } = arrived.request
      if (!beginInRounds(connectionOf(socket), arrived, queue)) closePipelined(socket, onClosed)
    },
    open(socket) {
      const connection = attach(socket)
      if (!limit.admit(connection, networkOf(addressOf(socket)))) refuse(socket)
    },
    enter(ctx) {
      const connection = connectionOf(ctx.request.socket)
      tidy(connection)
      addNewest(connection, ctx)
      return ctx.request.headers['x-forwarded-for'] === undefined || admitProxied(connection, ctx, limit)
    },
    isAnswering: (socket: TaggedSocket) => isAnswering(socket[connectionKey]?.newest ?? null),
    hasWaiting: (socket: TaggedSocket) => countWaiting(socket[connectionKey]) > 0,
    hasAnswered(socket: TaggedSocket) {
      const connection = socket[connectionKey]
      if (!connection) return
      connection.hasAsked = true
      if (connection.newest === null) connection.idleSince = performance.now()
    },
    forEach(visit) {
      for (const connection of open) {
        tidy(connection)
        for (let ctx = connection.newest; ctx; ctx = ctx.older) visit(ctx)
      }
    },
    count: () => open.size,
    inFlight: () => open.values().reduce((count, connection) => count + countUnderWay(connection), 0),
    closeLingering: () => closeLingering(open, patience, () => onClosed('lingering')),
    closeIdle: () => closeIdle(open),
  }
}

function closePipelined(socket: Socket, onClosed: Hooks['onClosed']): false {
  onClosed('pipelined')
  socket.destroy()
  return false
}

function addNewest(connection: Connection, ctx: HttpContext): void {
  ctx.older = connection.newest
  connection.newest = ctx
  connection.hasAsked = true
  connection.idleSince = 0
}

function isAnswering(newest: HttpContext | null): boolean {
  for (let ctx = newest; ctx; ctx = ctx.older) {
    const { request, response } = ctx
    if (!response.writableFinished && (request.complete || response.headersSent)) return true
  }
  return false
}

function closeLingering(open: ReadonlySet<Connection>, patience: Patience, onLingering: () => void): void {
  const now = performance.now()
  for (const connection of open) {
    if (!lingers(connection, now, patience)) continue
    onLingering()
    connection.socket.destroy()
  }
}

function closeIdle(open: ReadonlySet<Connection>): void {
  const now = performance.now()
  for (const { socket, newest, queued, hasAsked, idleSince } of open) {
    const patienceMs = hasAsked ? whileStopping.incompleteMs : whileStopping.newMs
    if (newest === null && queued === 0 && now - idleSince > patienceMs) socket.destroy()
  }
}

function newConnection(socket: Socket): Connection {
  const idleSince = performance.now()
  return {
    socket,
    newest: null,
    hasAsked: false,
    lastResponse: null,
    arrived: 0,
    round: 0,
    begun: 0,
    waiting: [],
    queued: 0,
    idleSince,
    endedSince: 0,
    countedFor: null,
    isProxied: false,
  }
}

function admitProxied(connection: Connection, ctx: HttpContext, limit: AddressLimit): boolean {
  const client = networkOf(ctx.clientAddress)
  connection.isProxied ||= client !== networkOf(addressOf(connection.socket))
  return !connection.isProxied || limit.admit(connection, client)
}

function lingers(connection: Connection, now: number, { lingerMs, idleMs }: Patience): boolean {
  if (connection.socket.writableEnded) connection.endedSince ||= now
  if (connection.endedSince > 0) return now - connection.endedSince > lingerMs
  return connection.newest === null && connection.queued === 0 && now - connection.idleSince > idleMs
}

const tooMany = JSON.stringify({
  type: 'about:blank',
  title: 'Too many connections',
  status: 429,
  detail: 'Your network has too many connections open here without a sign-in: close some, or try again in a few seconds',
  code: 'RATE_LIMITED',
  reason: 'TOO_MANY_CONNECTIONS',
  retryable: true,
})

/** Answers before a request has come, and gives the descriptor back at once. */
function refuse(socket: Socket): void {
  const head = `HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/problem+json\r\nretry-after: 5\r\nconnection: close\r\n`
  socket.write(`${head}content-length: ${Buffer.byteLength(tooMany)}\r\n\r\n${tooMany}`)
  socket.destroySoon()
}

function abortAll(connection: Connection, onOver: OnOver): void {
  for (let ctx = connection.newest; ctx; ctx = ctx.older) {
    if (!ctx.response.writableFinished) ctx.abort('CLIENT_LEFT')
    onOver(ctx)
  }
  connection.newest = null
}

/** Whether one of those removed had shown a valid token. */
function removeOver(connection: Connection, onOver: OnOver): boolean {
  let newer: HttpContext | null = null
  let isAuthenticated = false
  for (let ctx = connection.newest; ctx;) {
    const { older } = ctx
    if (ctx.response.writableFinished) {
      onOver(ctx)
      isAuthenticated ||= ctx.isAuthenticated
      if (newer) newer.older = older
      else connection.newest = older
      ctx.older = null
    } else {
      newer = ctx
    }
    ctx = older
  }
  return isAuthenticated
}
