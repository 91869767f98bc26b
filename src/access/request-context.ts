import type { Log } from '../kernel/log.ts'
import type { Actor } from './actor.ts'
import type { Principal } from './principal.ts'

/** One request as use cases and resolvers see it, whichever door it came through. */
export type RequestContext = {
  readonly requestId: string
  /** The client's address, told by trusted proxies only. */
  readonly clientAddress: string
  /** The bearer token as it came; it goes to the platform and nowhere else. */
  readonly accessToken: string | null
  /** The Origin header: names the workspace at sign-in where the client does not. */
  readonly origin: string | null
  /** Aborts when the client leaves or the request's deadline passes. */
  readonly signal: AbortSignal
  readonly log: Log
  /**
   * Calls back once, when the answer has been handed whole to the client's connection (`sent`), or will not be: the client left, or the
   * deadline's refusal went out in its place.
   */
  afterAnswer(then: (sent: boolean) => void): void
  /** Lets the request take at least so many milliseconds from now, where the usual deadline is too short for it. */
  allowAtLeast(ms: number): void
  /** Who is asking; UNAUTHENTICATED without a good token. One look-up per request at most. */
  principal(): Promise<Principal>
  /** The member who asks, with their token and address; UNAUTHENTICATED without a valid token. */
  actor(): Promise<Actor>
}
