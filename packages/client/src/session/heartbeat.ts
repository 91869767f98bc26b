import { refusesToken, ServiceError } from '../errors/service-error.ts'
import { backOffMs, type Timers } from '../timers.ts'
import type { SavedAgentSession } from './saved-session.ts'
import type { OwnAgentSession } from './sign-in.ts'

/**
 * Why a session was lost. TAKEN_OVER: the agent went on at another device. ENDED: a manager ended it or removed the member, or another tab signed out.
 * EXPIRED: no heartbeat arrived for too long, or the tokens cannot be renewed any more.
 */
export type LossReason = 'TAKEN_OVER' | 'ENDED' | 'EXPIRED'

/** An agent session after a heartbeat, as the service answers it and as it is stored. */
export type Renewed = { readonly session: OwnAgentSession; readonly saved: SavedAgentSession }

/** Heartbeats of one agent session. */
export interface Heartbeat {
  start(session: SavedAgentSession): void
  stop(): void
  /** Sends one now instead of waiting. Returns when its result is known. */
  beat(): Promise<void>
}

export function createHeartbeat(
  timers: Timers,
  {
    send,
    onRenewed,
    onLost,
  }: {
    /** Renews the session; returns it as it is now. */
    readonly send: (session: SavedAgentSession) => Promise<Renewed>
    /** Not called for an answer that comes after the session's end, or after the start of the next one. */
    readonly onRenewed: (renewed: Renewed) => Promise<void>
    readonly onLost: (reason: LossReason, error: ServiceError) => void
  },
): Heartbeat {
  let session: SavedAgentSession | null = null
  let failures = 0
  let cancel = (): void => undefined

  const stop = (): void => {
    cancel()
    session = null
  }
  /** Soon again only if that may help. */
  const waitMs = (error: unknown, { heartbeatIntervalSeconds }: SavedAgentSession): number => {
    const intervalMs = heartbeatIntervalSeconds * 1_000
    return error instanceof ServiceError && error.retryable ? Math.min(intervalMs, backOffMs(failures++)) : intervalMs
  }
  const schedule = (ms: number): void => {
    cancel()
    cancel = timers.after(ms, () => void beat())
  }
  const beat = async (): Promise<void> => {
    const own = session
    if (!own) return
    try {
      const renewed = await send(own)
      if (session !== own) return
      session = renewed.saved
      failures = 0
      schedule(session.heartbeatIntervalSeconds * 1_000)
      await onRenewed(renewed)
    } catch (error) {
      if (session !== own) return
      // A token that is still refused after its renewal will never be good again.
      const loss =
        lossBehind(error, own, timers.now()) ?? (error instanceof ServiceError && refusesToken(error) ? lossOfTokens(error) : null)
      if (loss && error instanceof ServiceError) {
        stop()
        onLost(loss, error)
      } else schedule(waitMs(error, own))
    }
  }
  return {
    start(started) {
      session = started
      failures = 0
      schedule(started.heartbeatIntervalSeconds * 1_000)
    },
    stop,
    beat,
  }
}

/** Tokens that are refused: because they are too old, or because the service ended the sign-in. */
export function lossOfTokens({ data }: ServiceError): LossReason {
  const endedBy = data?.['endedBy']
  if (endedBy === undefined) return 'EXPIRED'
  return endedBy === 'TAKE_OVER' ? 'TAKEN_OVER' : 'ENDED'
}

/** Null if the session may still live. */
export function lossBehind(error: unknown, { lockedAt, endsAt }: SavedAgentSession, now: number): LossReason | null {
  if (!(error instanceof ServiceError)) return null
  if (error.reason === 'SESSION_TAKEN_OVER') return error.data?.['lockedAt'] === lockedAt ? null : 'TAKEN_OVER'
  if (error.reason === 'SESSION_GONE') return now >= endsAt ? 'EXPIRED' : 'ENDED'
  return null
}
