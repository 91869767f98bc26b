import type { BeginQueue } from './begin-queue.ts'
import type { Connection } from './connection.ts'

/**
 * Requests of one connection that are under way, and that wait. Browsers and proxies send the next one after the answer; a client that sends
 * thousands at once would count as one connection of its address.
 */
const maxPipelined = 100
/** Requests of one connection that begin in one round of the event loop: two megabytes of them may arrive in one. */
const beginInRound = 20

type Adds = Pick<BeginQueue, 'add'>

/** Calls `beginNow` for a request, or gives it to the queue: now, or in a later round of the event loop if many came in one piece. False if the connection has too many. */
export function beginInRounds(connection: Connection, beginNow: () => void, queue?: Adds): boolean {
  const begin = queue ? () => queueIn(connection, beginNow, queue) : beginNow
  if (countUnderWay(connection) + countWaiting(connection) >= maxPipelined) return false
  if (connection.begun === beginInRound) return connection.waiting.push(begin) > 0
  connection.begun += 1
  begin()
  if (connection.begun === beginInRound) setImmediate(nextRound, connection)
  return true
}

/** Gives a request to the queue. Until it begins, its connection has something to do. */
function queueIn(connection: Connection, begin: () => void, queue: Adds): void {
  connection.queued += 1
  queue.add(() => {
    connection.queued -= 1
    begin()
  })
}

function nextRound(connection: Connection): void {
  const next = connection.waiting.splice(0, beginInRound)
  connection.begun = next.length
  for (const begin of next) begin()
  if (next.length === beginInRound) setImmediate(nextRound, connection)
}

export function countUnderWay({ newest }: Connection): number {
  let count = 0
  for (let ctx = newest; ctx; ctx = ctx.older) if (!ctx.response.writableFinished) count += 1
  return count
}

/** Requests that have arrived and not begun. */
export function countWaiting(connection: Connection | undefined): number {
  return connection ? connection.queued + connection.waiting.length : 0
}
