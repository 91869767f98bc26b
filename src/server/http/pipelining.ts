import type { Arrived, BeginQueue } from './begin-queue.ts'
import type { Connection } from './connection.ts'
import type { TimedResponse } from './timed-response.ts'

/**
 * Requests of one connection that are under way, and that wait. Browsers and proxies send the next one after the answer; a client that sends
 * thousands at once would count as one connection of its address.
 */
const maxPipelined = 100
/** Requests of one connection that begin in one round of the event loop: two megabytes of them may arrive in one. */
const beginInRound = 20

/** Counts the rounds of the event loop in which requests arrive. */
const rounds = { current: 0, isCounted: false }

/** Counts a request that arrives, whatever becomes of it. False if too many have come in one round: a refusal costs time too, and 64 kB may have thousands. */
export function arrives(connection: Connection, response: TimedResponse): boolean {
  connection.lastResponse = response
  if (!rounds.isCounted) {
    rounds.isCounted = true
    setImmediate(() => {
      rounds.current += 1
      rounds.isCounted = false
    })
  }
  if (connection.round !== rounds.current) [connection.round, connection.arrived] = [rounds.current, 0]
  connection.arrived += 1
  return connection.arrived <= maxPipelined
}

type Adds = Pick<BeginQueue, 'add'>

/** Calls `begin` of a request, or gives it to the queue: now, or in a later round of the event loop if many came in one piece. False if the connection has too many. */
export function beginInRounds(connection: Connection, arrived: Arrived, queue?: Adds): boolean {
  const begin = queue ? () => queueIn(connection, arrived, queue) : arrived.begin
  if (countUnderWay(connection) + countWaiting(connection) >= maxPipelined) return false
  if (connection.begun === beginInRound) return connection.waiting.push(begin) > 0
  connection.begun += 1
  begin()
  if (connection.begun === beginInRound) setImmediate(nextRound, connection)
  return true
}

/** Gives a request to the queue. Until it begins, its connection has something to do. */
function queueIn(connection: Connection, { request, response, begin, refuse }: Arrived, queue: Adds): void {
  connection.queued += 1
  queue.add({
    request,
    response,
    begin() {
      connection.queued -= 1
      begin()
    },
    refuse() {
      connection.queued -= 1
      refuse()
    },
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
