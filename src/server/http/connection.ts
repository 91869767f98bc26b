import type { Socket } from 'node:net'
import type { HttpContext } from './http-context.ts'
import type { TimedResponse } from './timed-response.ts'

export type Connection = {
  readonly socket: Socket
  /** Newest first: with pipelining one connection has several contexts. */
  newest: HttpContext | null
  hasAsked: boolean
  /** Of the request that arrived last, whatever became of it. Answers are sent in the order of their requests. */
  lastResponse: TimedResponse | null
  /** How many requests have arrived in the round of the event loop with this number. */
  arrived: number
  round: number
  /** How many requests have begun in this round of the event loop or before, and those that wait for the next round. */
  begun: number
  readonly waiting: (() => void)[]
  /** Requests that wait in the service's queue. */
  queued: number
  /** Since when no request has been under way, and since when the service has ended it, in `performance.now()` time; 0: not so. */
  idleSince: number
  endedSince: number
  /** The network whose connections without a token it counts among; null if it does not count. */
  countedFor: string | null
  /** The client is not the peer, but somebody behind a trusted proxy: each request may be another client's. */
  isProxied: boolean
}
