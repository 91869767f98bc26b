import type { Log } from '../../kernel/log.ts'

/**
 * How a Redis refuses that is not the primary any more, or not yet: it became a replica, has too few of them, loads its data, or lost its own
 * primary. Old versions put it behind their own text if a script was refused. Source: the error table of Redis (`src/server.c`, shared.*err).
 */
const otherRole = /(?:^|-)(READONLY|NOREPLICAS|LOADING|MASTERDOWN) /

/** A connection that stands leads to the same server for ever, so it is opened anew. Not more often, because reads may still work. */
const reopenEveryMs = 1_000
const loggedEveryMs = 60_000

/** Notices that the address of Redis leads to another server now: after a fail-over connections to the old one may live on. */
export class RoleWatch {
  readonly #log: Log
  readonly #followers = new Set<() => void>()
  #reopenedAt = Number.NEGATIVE_INFINITY
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(log: Log) {
    this.#log = log
  }

  /** Whether to open the connection anew because of this answer. Says so to the followers. */
  isOther({ message }: Error): boolean {
    const answer = otherRole.exec(message)?.[1]
    const now = performance.now()
    if (answer === undefined || now - this.#reopenedAt < reopenEveryMs) return false
    this.#reopenedAt = now
    if (now - this.#loggedAt > loggedEveryMs) {
      this.#loggedAt = now
      this.#log.warn({ answer }, 'redis.refuses')
    }
    for (const reopen of this.#followers) reopen()
    return true
  }

  /** Calls back each time. The result ends that. */
  follow(reopen: () => void): Disposable {
    this.#followers.add(reopen)
    return { [Symbol.dispose]: () => void this.#followers.delete(reopen) }
  }
}
