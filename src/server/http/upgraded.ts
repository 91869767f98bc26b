import type { ClientRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Owner } from '../../kernel/fair-queue.ts'

/** A connection that has left HTTP: its handler owns the socket until one side closes it. */
export type Upgraded = {
  readonly socket: Duplex
  /** What came behind the head of the request. */
  readonly head: Buffer
  /** Whose connection it is, by the token that its request has now. Asks nobody. */
  readonly owner: () => Owner
  /** Sends a POST request to this server, inside the process, as the client of this connection. */
  readonly post: (path: string, headers: Readonly<Record<string, string>>, body: string) => ClientRequest
}
