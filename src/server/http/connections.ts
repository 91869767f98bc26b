import type { Socket } from 'node:net'
import type { HttpContext } from './http-context.ts'

/**
 * Which exchanges are under way, kept per connection: one listener for each connection instead of one for each request, and no
 * collection that every request enters and leaves (that alone costs a sixth of a passed-through request).
 */
export type Connections = {
  /** Knows a connection before it says anything. */
  open(socket: Socket): void
  enter(ctx: HttpContext): void
  /** Looks at every exchange under way; those that are over are reported and let go. */
  sweep(look: (ctx: HttpContext) => void): void
  readonly inFlight: () => number
  /** Ends the connections that have not said anything yet: browsers open some ahead, and Node does not count them as idle. */
  closeSilent(): void
}

/** Newest first: with pipelining one connection has several. */
type Connection = { newest: HttpContext | null }
const connectionKey = Symbol('connection')
type TaggedSocket = Socket & { [connectionKey]?: Connection }

export function createConnections({ onOver }: { onOver: (ctx: HttpContext) => void }): Connections {
  const open = new Set<Connection>()
  const silent = new Set<Socket>()

  const attach = (socket: TaggedSocket): Connection => {
    const connection: Connection = { newest: null }
    socket[connectionKey] = connection
    open.add(connection)
    silent.delete(socket)
    socket.once('close', () => {
      open.delete(connection)
      for (let ctx = connection.newest; ctx; ctx = ctx.older) {
        if (!ctx.response.writableFinished) ctx.abort('CLIENT_LEFT')
        onOver(ctx)
      }
      connection.newest = null
    })
    return connection
  }

  const letGo = (connection: Connection): void => {
    let under: HttpContext | null = null
    for (let ctx = connection.newest; ctx;) {
      const { older } = ctx
      if (ctx.response.writableFinished) {
        onOver(ctx)
        if (under) under.older = older
        else connection.newest = older
        ctx.older = null
      } else {
        under = ctx
      }
      ctx = older
    }
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
      if (connection.newest) letGo(connection)
      ctx.older = connection.newest
      connection.newest = ctx
    },
    sweep(look) {
      for (const connection of open) {
        letGo(connection)
        for (let ctx = connection.newest; ctx; ctx = ctx.older) look(ctx)
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
