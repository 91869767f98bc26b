import type { Server } from 'node:http'
import { setImmediate as nextRound, setTimeout as delay } from 'node:timers/promises'
import type { Connections } from './connections.ts'
import type { HttpContext } from './http-context.ts'

/** How the server stops without a client losing an answer: first `begin`, then `drain`. */
export type Stop = {
  readonly isBegun: boolean
  /** From now on the instance is not ready, and each answer closes its connection. Everything else goes on. */
  begin(): void
  /** Gives a load balancer time to notice, closes the port, and resolves when the last request has its answer. */
  drain(server: Server): Promise<void>
}

export type StopOptions = {
  /** How long the port accepts connections after the stop began. Default 0. */
  readonly stopDelayMs?: number
  /** How long running requests may take once the port is closed. Default: drainMsAfter the delay. */
  readonly drainMs?: number
}

/** From the signal to the last answer: with the end of jobs less than ten seconds, unless the delay takes most of them. */
const lastAnswerMs = 9_000
const leastDrainMs = 5_000
/** For the error of a request that would take longer. */
const lastErrorMs = 500
/** For the last event of a stream. */
const lastEventMs = 500
/** Rounds of the event loop in which new connections may keep the port open. */
const maxRounds = 1_000

export function createStop(connections: Connections, { stopDelayMs = 0, drainMs = drainMsAfter(stopDelayMs) }: StopOptions): Stop {
  let begunAt: number | null = null
  const begin = (): void => {
    if (begunAt !== null) return
    begunAt = performance.now()
    const underWay: HttpContext[] = []
    connections.forEach((ctx) => underWay.push(ctx))
    // The oldest first.
    for (const ctx of underWay.toReversed()) answerLast(ctx, connections)
  }
  return {
    get isBegun() {
      return begunAt !== null
    },
    begin,
    async drain(server) {
      begin()
      const remainingMs = (begunAt ?? 0) + stopDelayMs - performance.now()
      if (remainingMs > 0) await delay(remainingMs)
      const lastAt = performance.now() + drainMs - lastErrorMs
      await closePort(server, () => endWhatWaits(server, connections, lastAt), drainMs)
    },
  }
}

/** How long running requests may take once the port is closed. */
export function drainMsAfter(stopDelayMs: number): number {
  return Math.max(leastDrainMs, lastAnswerMs - stopDelayMs)
}

/** The answer announces that it closes its connection: a client that knows sends nothing that would be lost. */
export function answerLast(ctx: HttpContext, connections: Connections): void {
  // Of requests that came in one piece, the last one closes the connection. It may have begun before those that wait in a queue.
  let last = ctx
  for (let other: HttpContext | null = ctx; other; other = other.older) {
    other.response.shouldKeepAlive = true
    if (other.startedAt > last.startedAt) last = other
  }
  last.response.shouldKeepAlive = connections.hasWaiting(ctx.request.socket)
}

/** Ends streams, closes connections without a request, and lets requests run until then. */
function endWhatWaits(server: Server, connections: Connections, lastAt: number): void {
  connections.forEach((ctx) => {
    ctx.stopStream(lastEventMs)
    if (ctx.aborted === null && ctx.deadlineAt > lastAt) ctx.deadlineAt = lastAt
  })
  server.closeIdleConnections()
  connections.closeIdle()
}

async function closePort(server: Server, endIdle: () => void, longestMs: number): Promise<void> {
  await untilNobodyConnects(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  endIdle()
  // A connection that becomes idle later is closed then, and a stream that begins later ends then. In a round of the event loop, after what
  // has arrived is read: a connection that is closed before takes its request with it.
  const waiting = setInterval(() => setImmediate(endIdle), 50)
  const late = setTimeout(() => server.closeAllConnections(), longestMs)
  await closed
  clearInterval(waiting)
  clearTimeout(late)
}

/** The system resets connections that are not accepted when the port closes, so it closes in a round of the event loop that brought none. */
async function untilNobodyConnects(server: Server): Promise<void> {
  let connected = true
  const note = (): void => void (connected = true)
  server.on('connection', note)
  // From here on each wait is a whole round.
  await nextRound()
  for (let round = 0; connected && round < maxRounds; round += 1) {
    connected = false
    await nextRound()
  }
  server.off('connection', note)
}
