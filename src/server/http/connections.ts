import type { Socket } from 'node:net'
import type { HttpContext } from './http-context.ts'

/**
 * The HTTP contexts that are under way, stored per connection. This needs one listener for each connection instead of one for each
 * request, and no collection that every request enters and leaves: that alone would cost a sixth of a passed-through request.
 */
export type Connections = {
  /** A connection that has not sent a request yet. */
  open(socket: Socket): void
  enter(ctx: HttpContext): void
  /** Calls `visit` for every context under way. Reports and removes those that are over. */
  forEach(visit: (ctx: HttpContext) => void): void
  readonly inFlight: () => number
  /** Ends the connections that have not sent anything yet: browsers open some ahead, and Node does not count them as idle. */
  closeSilent(): void
}

/** Newest first: with pipelining one connection has several contexts. */
type Connection = { newest: HttpContext | null }
const connectionKey = Symbol('connection')
type TaggedSocket = Socket & { [connectionKey]?: Connection }
type OnOver = (ctx: HttpContext) => void

export function createConnections({ onOver }: { onOver: OnOver }): Connections {
  const open = new Set<Connection>()
  const silent = new Set<Socket>()

  const attach = (socket: TaggedSocket): Connection => {
    const connection: Connection = { newest: null }
    socket[connectionKey] = connection
    open.add(connection)
    silent.delete(socket)
    socket.once('close', () => {
      open.delete(connection)
      abortAll(connection, onOver)
    })
    return connection
  }

  return {
    open(socket) {
      silent.add(socket)
      socket.once('close', () => silent.delete(socket))
    },
    closeSilent() {
      for (const socket of silent) socket.destroy()
    },
    enter(ctx) {
      const socket: TaggedSocket = ctx.request.socket
      const connection = socket[connectionKey] ?? attach(socket)
      if (connection.newest) removeOver(connection, onOver)
      ctx.older = connection.newest
      connection.newest = ctx
    },
    forEach(visit) {
      for (const connection of open) {
        removeOver(connection, onOver)
        for (let ctx = connection.newest; ctx; ctx = ctx.older) visit(ctx)
      }
    },
    inFlight() {
      let count = 0
      for (const { newest } of open) {
        for (let ctx = newest; ctx; ctx = ctx.older) if (!ctx.response.writableFinished) count += 1
      }
      return count
    },
  }
}

function abortAll(connection: Connection, onOver: OnOver): void {
  for (let ctx = connection.newest; ctx; ctx = ctx.older) {
    if (!ctx.response.writableFinished) ctx.abort('CLIENT_LEFT')
    onOver(ctx)
  }
  connection.newest = null
}

function removeOver(connection: Connection, onOver: OnOver): void {
  let newer: HttpContext | null = null
  for (let ctx = connection.newest; ctx;) {
    const { older } = ctx
    if (ctx.response.writableFinished) {
      onOver(ctx)
      if (newer) newer.older = older
      else connection.newest = older
      ctx.older = null
    } else {
      newer = ctx
    }
    ctx = older
  }
}
