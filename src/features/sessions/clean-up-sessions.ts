import { leaseProviderAgent, signOutAtProvider } from './agent-at-provider.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import { cancelCheck, dueAgentKeys, scheduleCheck } from './session-checks.ts'
import { publishSessionState } from './session-events.ts'
import { readLock } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import {
  deleteSessionRecord,
  markSessionOver,
  readSessionRecord,
  renewSessionRecord,
  signOutForMs,
  type StoredSessionRecord,
} from './session-records.ts'

export type CleanUpPorts = Pick<SessionPorts, 'store' | 'sessionBox' | 'telephonyOf' | 'bus' | 'notifications' | 'clock' | 'log'>

const atOnce = 10
const perRun = 1_000
/** How long after a failed sign-out it is tried again. */
const retryAfterMs = 60_000

/**
 * Cleans up sessions whose lock has expired: publishes EXPIRED once and signs their agents out at the provider, unless a newer session has
 * the agent. Retries for a day if the provider cannot be reached. Runs every 15 s on every instance; leases keep the instances apart. Throws
 * STORE_UNAVAILABLE.
 */
export async function cleanUpSessions(ports: CleanUpPorts): Promise<void> {
  const due = await dueAgentKeys(ports.store, ports.clock.now(), perRun)
  for (let start = 0; start < due.length; start += atOnce) {
    await Promise.all(due.slice(start, start + atOnce).map((agentKey) => cleanUpIfFree(ports, agentKey)))
  }
}

async function cleanUpIfFree(ports: CleanUpPorts, agentKey: ProviderAgentKey): Promise<void> {
  await using lease = await leaseProviderAgent(ports, agentKey, 0)
  // Another process signs this agent in or out now; the next run checks it again.
  if (!lease) return
  await cleanUp(ports, agentKey)
}

async function cleanUp(ports: CleanUpPorts, agentKey: ProviderAgentKey): Promise<void> {
  const { store, clock } = ports
  const held = await readLock(store, agentKey)
  if (held) {
    await renewSessionRecord(ports, agentKey)
    return scheduleCheck(store, agentKey, held.expiresAt)
  }
  const stored = await readSessionRecord(ports, agentKey)
  if (!stored) return cancelCheck(store, agentKey)
  const over = await expire(ports, agentKey, stored)
  const signedOut = await signOutAtProvider(ports, agentKey, over.record.credentials)
  const givesUp = clock.now() - Date.parse(over.record.lockedAt) > signOutForMs
  if (!signedOut && !givesUp) return scheduleCheck(store, agentKey, clock.now() + retryAfterMs)
  await deleteSessionRecord(ports, agentKey, over)
  await cancelCheck(store, agentKey)
}

/** Publishes once that the session expired, before the provider is asked: the sign-out may take several runs. */
async function expire(ports: CleanUpPorts, agentKey: ProviderAgentKey, stored: StoredSessionRecord): Promise<StoredSessionRecord> {
  const { agentId, lockedAt, isOver } = stored.record
  if (isOver) return stored
  await publishSessionState(ports, agentKey, { agentId, lockedAt, state: 'EXPIRED' })
  const over = await markSessionOver(ports, agentKey, stored)
  await scheduleCheck(ports.store, agentKey, ports.clock.now() + retryAfterMs)
  return over
}
