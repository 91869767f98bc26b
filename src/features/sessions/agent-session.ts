import { isoMoment } from '../../kernel/clock.ts'
import type { SessionLock } from './session-lock.ts'

/** A session for clients; times in ISO 8601. */
export type AgentSession = {
  readonly agentId: string
  readonly memberId: string
  readonly ip: string
  readonly lockedAt: string
  readonly expiresAt: string
  readonly heartbeatIntervalSeconds: number
}

/** Often enough that a few lost heartbeats end no session. */
const heartbeatIntervalSeconds = 300

/** `expiresAt`: epoch milliseconds. */
export function agentSession(agentId: string, lock: SessionLock, expiresAt: number): AgentSession {
  return { agentId, ...lock, expiresAt: isoMoment(expiresAt), heartbeatIntervalSeconds }
}
