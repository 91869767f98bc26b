import { refusesToken, ServiceError } from '../errors/service-error.ts'
import { backOffMs, type Timers } from '../timers.ts'
import type { SavedAgentSession } from './saved-session.ts'

/**
 * Why an agent session was lost. TAKEN_OVER: the agent went on at another device. ENDED: a manager ended it, or another tab signed out.
 * EXPIRED: no heartbeat arrived for too long, or the tokens cannot be renewed any more.
 */
export type LossReason = 'TAKEN_OVER' | 'ENDED' | 'EXPIRED'

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
    onLost,
  }: {
    /** Renews the session; returns it as it is now. */
    readonly send: (session: SavedAgentSession) => Promise<SavedAgentSession>
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
      session = renewed
      failures = 0
      schedule(renewed.heartbeatIntervalSeconds * 1_000)
    } catch (error) {
      if (session !== own) return
      const loss = lossBehind(error, own, timers.now())
      if (loss && error instanceof ServiceError) {
        stop()
        onLost(loss, error)
      } else if (refusesToken(error)) stop()
      else schedule(Math.min(own.heartbeatIntervalSeconds * 1_000, backOffMs(failures++)))
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

/** Null if the session may still live. */
export function lossBehind(error: unknown, { lockedAt, endsAt }: SavedAgentSession, now: number): LossReason | null {
  if (!(error instanceof ServiceError)) return null
  if (error.reason === 'SESSION_TAKEN_OVER') return error.data?.['lockedAt'] === lockedAt ? null : 'TAKEN_OVER'
  if (error.reason === 'SESSION_GONE') return now >= endsAt ? 'EXPIRED' : 'ENDED'
  return null
}
