import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Principals } from './principals.ts'

/** What an open stream asks between two answers. */
export type StillAllowed = {
  /**
   * Returns while the stream may go on. The actor is looked up every 30 s at most; other calls cost nothing. A platform that is away ends
   * no stream, the end of the token does. Errors: TOKEN_REFUSED; ROLE_MISSING if the actor's role or agent record has changed.
   */
  check(): Promise<void>
  /** Milliseconds until the next look-up: the longest that a stream may wait before it checks. */
  dueInMs(): number
}

const checkEveryMs = 30_000

/** For streams, because they go on after the check of the actor that every request begins with. Call it when that check has just been made. */
export function watchActor(
  { principals, clock }: Pick<Ports, 'clock'> & { readonly principals: Pick<Principals, 'resolve'> },
  { principal, accessToken }: Actor,
): StillAllowed {
  let dueAt = clock.now() + checkEveryMs
  return {
    async check() {
      if (clock.now() < dueAt) return
      const now = await principals.resolve(accessToken).catch(ignoreOutage)
      if (now && (now.role !== principal.role || now.agentId !== principal.agentId)) {
        throw new AppError('ROLE_MISSING', { detail: 'Your role or agent record has changed; subscribe again' })
      }
      dueAt = clock.now() + checkEveryMs
    },
    dueInMs: () => Math.max(0, dueAt - clock.now()),
  }
}

function ignoreOutage(error: unknown): null {
  if (!(error instanceof AppError) || error.code === 'FORBIDDEN') throw error
  if (error.code === 'UNAUTHENTICATED') {
    throw new AppError('TOKEN_REFUSED', { detail: 'The token is no longer valid; refresh it or sign in again, then subscribe again' })
  }
  return null
}
