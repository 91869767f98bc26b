import { type DueResult, type DueTask, eachAlone } from '../../ports/due/due-work.ts'
import { leaseProviderAgent, signOutAtProvider } from './agent-at-provider.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import { carryOverChecks, sessionChecks } from './session-checks.ts'
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
/** How long after a failed sign-out it is tried again. */
const retryAfterMs = 60_000
/** How long after another process was signing the agent in or out. */
const lookAgainMs = 15_000

/**
 * Cleans up sessions whose lock has expired: publishes EXPIRED once and signs their agents out at the provider, unless a newer session has
 * the agent. Retries for a day if the provider cannot be reached.
 */
export function cleanUpSessions(ports: CleanUpPorts): DueTask {
  return {
    list: sessionChecks,
    run: eachAlone(atOnce, ({ workspaceId, id: providerAgentId }) => cleanUpIfFree(ports, { workspaceId, providerAgentId })),
    carryOver: () => carryOverChecks(ports.store, ports.clock.now()),
  }
}

async function cleanUpIfFree(ports: CleanUpPorts, agentKey: ProviderAgentKey): Promise<DueResult> {
  await using lease = await leaseProviderAgent(ports, agentKey, 0)
  // Awaited here: the lease is held until it is done.
  return lease ? await cleanUp(ports, agentKey) : { again: ports.clock.now() + lookAgainMs }
}

async function cleanUp(ports: CleanUpPorts, agentKey: ProviderAgentKey): Promise<DueResult> {
  const { store, clock } = ports
  const held = await readLock(store, agentKey)
  if (held) {
    await renewSessionRecord(ports, agentKey)
    return { again: held.expiresAt }
  }
  const stored = await readSessionRecord(ports, agentKey)
  if (!stored) return 'DONE'
  const over = await expire(ports, agentKey, stored)
  const signedOut = await signOutAtProvider(ports, agentKey, over.record.credentials)
  const givesUp = clock.now() - Date.parse(over.record.lockedAt) > signOutForMs
  if (!signedOut && !givesUp) return { again: clock.now() + retryAfterMs }
  await deleteSessionRecord(ports, agentKey, over)
  return 'DONE'
}

/** Publishes once that the session expired, before the provider is asked: the sign-out may take several runs. */
async function expire(ports: CleanUpPorts, agentKey: ProviderAgentKey, stored: StoredSessionRecord): Promise<StoredSessionRecord> {
  const { agentId, lockedAt, isOver } = stored.record
  if (isOver) return stored
  await publishSessionState(ports, agentKey, { agentId, lockedAt, state: 'EXPIRED' })
  return markSessionOver(ports, agentKey, stored)
}
