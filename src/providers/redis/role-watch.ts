import type { Log } from '../../kernel/log.ts'

/**
 * How a Redis refuses that is not the primary any more, or not yet: it became a replica, has too few of them, loads its data, or lost its own
 * primary. Old versions put it behind their own text if a script was refused. Source: the error table of Redis (`src/server.c`, shared.*err).
 */
const otherRole = /(?:^|-)(READONLY|NOREPLICAS|LOADING|MASTERDOWN) /

/** A connection that stands leads to the same server for ever, so it is opened anew: the first time at once. Reads may work meanwhile. */
const reopenAfterMs = { first: 1_000, longest: 4_000 }
/** Without a refusal for this long, the next one is another fail-over. */
const overAfterMs = 10_000
const loggedEveryMs = 60_000

/** Notices that the address of Redis leads to another server now: after a fail-over connections to the old one may live on. */
export class RoleWatch {
  readonly #log: Log
  readonly #followers = new Set<() => void>()
  #server: string | null = null
  #hasRefused = false
  #refusedAt = Number.NEGATIVE_INFINITY
  #reopenedAt = Number.NEGATIVE_INFINITY
  #waitMs = 0
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(log: Log) {
    this.#log = log
  }

  /** Whether to open the connection anew because of this answer. */
  isOther({ message }: Error): boolean {
    const answer = otherRole.exec(message)?.[1]
    if (answer === undefined) return false
    const now = performance.now()
    if (now - this.#refusedAt > overAfterMs) this.#waitMs = 0
    this.#refusedAt = now
    if (now - this.#reopenedAt < this.#waitMs) return false
    this.#reopenedAt = now
    this.#waitMs = Math.min(Math.max(reopenAfterMs.first, 2 * this.#waitMs), reopenAfterMs.longest)
    this.#hasRefused = true
    if (now - this.#loggedAt > loggedEveryMs) {
      this.#loggedAt = now
      this.#log.warn({ answer }, 'redis.refuses')
    }
    return true
  }

  /** The connection is open. `server`: the id of its run, null if it is not known. The followers are told if another one had refused. */
  reached(server: string | null): void {
    const isNew = server === null || server !== this.#server
    if (this.#hasRefused && isNew) for (const reopen of this.#followers) reopen()
    this.#hasRefused = false
    this.#server = server
  }

  /** Calls back each time that the address leads to another server after a refusal. The result ends that. */
  follow(reopen: () => void): Disposable {
    this.#followers.add(reopen)
    return { [Symbol.dispose]: () => void this.#followers.delete(reopen) }
  }
}
