import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Store } from '../../ports/store.ts'
import { parseTakeOver, readTakeOver, type TakeOver, takenOver, takeOverTopic } from '../sessions/take-over.ts'
import type { Principals } from './principals.ts'

/** What an open stream asks between two answers. */
export type StillAllowed = {
  /**
   * Returns while the stream may go on. The actor is looked up every 30 s at most; other calls cost nothing. A platform that is away ends
   * no stream, the end of the token or of its sign-in does. Errors: TOKEN_REFUSED; ROLE_MISSING if the actor's role or agent record has changed;
   * SESSION_TAKEN_OVER if another token of the same member has taken over the agent session since the stream began.
   */
  check(): Promise<void>
  /** Milliseconds until the next look-up: the longest that a stream may wait before it checks. */
  dueInMs(): number
  /** Calls the listener when a check is due at once, until the result is disposed of. */
  onDue(listener: () => void): Disposable
}

const checkEveryMs = 30_000

/** For streams, because they go on after the check of the actor that every request begins with. Call it when that check has just been made. */
export function watchActor(
  ports: Pick<Ports, 'clock'> & {
    readonly store: Pick<Store, 'get'>
    readonly principals: Pick<Principals, 'resolve' | 'follow'>
    readonly notifications: Pick<Notifications, 'subscribe' | 'onGap'>
  },
  { principal, accessToken }: Actor,
): StillAllowed {
  const { principals, notifications, clock } = ports
  const startedAt = clock.now()
  const tokenHash = hashOf(accessToken)
  let dueAt = startedAt + checkEveryMs
  let lost: TakeOver | null = null
  // A clock that is set back must not put the next look-up off.
  const leftMs = (): number => {
    const left = dueAt - clock.now()
    return left > checkEveryMs ? 0 : Math.max(0, left)
  }
  const isOurs = (takeOver: TakeOver): boolean => takeOver.memberId === principal.memberId && takeOver.tokenHash !== tokenHash
  const readMissed = async (): Promise<TakeOver | null> => {
    const last = await readTakeOver(ports, principal).catch(() => null)
    return last && isOurs(last) && Date.parse(last.lockedAt) > startedAt ? last : null
  }
  return {
    async check() {
      if (lost) throw takenOver(lost)
      if (leftMs() > 0) return
      const [now, missed] = await Promise.all([principals.resolve(accessToken).catch(ignoreOutage), readMissed()])
      if (missed) throw takenOver(missed)
      if (now && (now.role !== principal.role || now.agentId !== principal.agentId)) {
        throw new AppError('ROLE_MISSING', { detail: 'Your role or agent record has changed; subscribe again' })
      }
      dueAt = clock.now() + checkEveryMs
    },
    dueInMs: () => (lost ? 0 : leftMs()),
    onDue(listener) {
      const subscriptions = new DisposableStack()
      const onTakeOver = (takeOver: TakeOver): void => {
        if (!isOurs(takeOver)) return
        lost = takeOver
        listener()
      }
      subscriptions.use(
        notifications.subscribe(
          takeOverTopic,
          ({ workspaceId, payload }) => {
            if (workspaceId === principal.workspaceId) onTakeOver(parseTakeOver(payload))
          },
          [principal.memberId],
        ),
      )
      const checkNow = (): void => {
        dueAt = clock.now()
        listener()
      }
      subscriptions.use(notifications.onGap(checkNow))
      subscriptions.use(principals.follow(accessToken, checkNow))
      return subscriptions
    },
  }
}

function ignoreOutage(error: unknown): null {
  if (!(error instanceof AppError) || error.code === 'FORBIDDEN') throw error
  if (error.data?.['endedBy'] !== undefined) throw error
  if (error.code === 'UNAUTHENTICATED') {
    throw new AppError('TOKEN_REFUSED', { detail: 'The token is no longer valid; refresh it or sign in again, then subscribe again' })
  }
  return null
}
