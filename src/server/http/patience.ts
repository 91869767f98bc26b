import type { ServerOptions } from 'node:http'

/** The longest time for receiving a request, which only an upload needs. All others meet their deadline before. */
const longestRequestMs = 10 * 60_000
/** How long the server waits for its clients. */
export const defaultPatience = {
  /** From the first byte of a request, or from the connection's beginning, to the end of the headers. */
  headersMs: 20_000,
  keepAliveMs: 72_000,
  /** Without a request under way: longer than `keepAliveMs`, which a client can prolong with empty lines. */
  idleMs: 80_000,
  /** Neither side sends or takes a byte: longer than any deadline, and than the pings of a stream. */
  silenceMs: 120_000,
  /** For a client to close its side after the service. */
  lingerMs: 2_000,
}

/** What Node itself watches. */
export function timeoutsOf({ headersMs, keepAliveMs }: typeof defaultPatience): ServerOptions {
  return {
    requestTimeout: longestRequestMs,
    headersTimeout: headersMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: headersMs / 10,
    // Finds clients that vanished without closing: phones out of reach, machines asleep.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  }
}
