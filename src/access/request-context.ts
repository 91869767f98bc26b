import type { Log } from '../kernel/log.ts'
import type { Actor } from './actor.ts'
import type { Principal } from './principal.ts'

/** One request for use cases and resolvers, whichever handler received it. */
export type RequestContext = {
  readonly requestId: string
  /** The client's IP address, as far as trusted proxies report it. */
  readonly clientAddress: string
  /** The bearer token of the request; it goes to the platform and nowhere else. */
  readonly accessToken: string | null
  /** The Origin header: names the workspace at sign-in if the input does not. */
  readonly origin: string | null
  /** Aborts when the client leaves or the request's deadline passes; for a stream also when the service stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /**
   * Calls the callback once. `sent` is true when the whole answer has been written to the client's connection, and false if the client left
   * or if the deadline passed and an error was sent instead.
   */
  afterAnswer(callback: (sent: boolean) => void): void
  /** Extends the deadline, so that the request may take at least this many milliseconds from now. */
  allowAtLeast(ms: number): void
  /** Runs a deliberate wait, such as the delay after a wrong password: meanwhile the request counts as none that is under way. */
  pausing<Result>(wait: () => Promise<Result>): Promise<Result>
  /** The member that the token belongs to; throws UNAUTHENTICATED without a valid token. Looked up at most once per request. */
  principal(): Promise<Principal>
  /** The same member with their token and address; throws UNAUTHENTICATED without a valid token. */
  actor(): Promise<Actor>
}
