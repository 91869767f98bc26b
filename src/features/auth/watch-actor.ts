import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Actor } from '../../access/actor.ts'
import type { Principals } from './principals.ts'

/** What an open stream asks between two answers. */
export type StillAllowed = {
  /**
   * Returns while the stream may go on; who asks is looked at every half a minute, other questions cost nothing. A platform that is away
   * ends no stream, the token's own end does. Errors: TOKEN_REFUSED; ROLE_MISSING where the caller's role or agent record has changed.
   */
  check(): Promise<void>
  /** How long until the next look, in milliseconds: the longest that a stream may wait before it checks. */
  dueInMs(): number
}

/** Begins with a caller who has just been looked at. */
export type WatchCaller = (caller: Actor) => StillAllowed

const lookEveryMs = 30_000

/** For streams, which go on after the one question about their caller that every other request asks. */
export function createWatchCaller(principals: Pick<Principals, 'resolve'>, clock: Clock): WatchCaller {
  return ({ principal: before, accessToken }) => {
    let dueAt = clock.now() + lookEveryMs
    return {
      async check() {
        if (clock.now() < dueAt) return
        const now = await principals.resolve(accessToken).catch(toleratingOutage)
        if (now && (now.role !== before.role || now.agentId !== before.agentId)) throw new AppError('ROLE_MISSING', { detail: roleChanged })
        dueAt = clock.now() + lookEveryMs
      },
      dueInMs: () => Math.max(0, dueAt - clock.now()),
    }
  }
}

const roleChanged = 'What you may see has changed; subscribe again'
const tokenOver = 'The token is no longer good; refresh it or sign in again, then subscribe again'

function toleratingOutage(error: unknown): null {
  if (!(error instanceof AppError) || error.code === 'FORBIDDEN') throw error
  if (error.code === 'UNAUTHENTICATED') throw new AppError('TOKEN_REFUSED', { detail: tokenOver })
  return null
}
