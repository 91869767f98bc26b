import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AgentProfile, AgentRecord } from '../../ports/records/agent.ts'
import type { AgentSignIn } from '../../ports/telephony.ts'
import { leaseProviderAgent, signInAtProvider, type TelephonySignIn } from './agent-at-provider.ts'
import { readAgentSecrets } from './agent-secrets.ts'
import { type AgentSession, agentSession } from './agent-session.ts'
import { closeSession } from './close-session.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import { agentProfile, providerAgentIdOf } from './read-agent.ts'
import { scheduleCheck } from './session-checks.ts'
import { publishSessionState } from './session-events.ts'
import { type LockedSession, type SessionLock, provisionalLockTtlMs, renewLock, sessionLockTtlMs, takeLock } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import { writeSessionRecord } from './session-records.ts'
import { providerSignIn, type SipCredentials, sipCredentials } from './sip-credentials.ts'

/**
 * A session whose lock is still provisional (for a minute). Call exactly one of the two: `confirm` when the answer has been sent, which
 * extends the lock to an hour, or `abandon` when it will not be sent, which ends the session. Neither throws.
 */
export type StartedSession = {
  readonly session: AgentSession
  readonly agent: AgentProfile
  readonly sip: SipCredentials | null
  readonly telephony: TelephonySignIn
  confirm(): Promise<void>
  abandon(): Promise<void>
}

/** `signal` aborts when the client is gone: then no session remains. */
export type SessionStart = { readonly record: AgentRecord; readonly signal: AbortSignal }

/** Longer than a request to the provider that the sign-out of the session before may still have under way. */
const leaseWaitMs = 12_000

/**
 * Takes the agent's one session and signs the agent in at the provider. Errors: SESSION_LOCKED (`data.ip`, `data.lockedAt`),
 * STORE_UNAVAILABLE, OVERLOADED, and DEADLINE_PASSED if the client is gone. After an error no session remains.
 */
export async function startSession(
  ports: SessionPorts,
  { principal: { workspaceId, memberId }, clientAddress }: Pick<Actor, 'principal' | 'clientAddress'>,
  start: SessionStart,
): Promise<StartedSession> {
  const lock: SessionLock = { memberId, ip: clientAddress, lockedAt: isoMoment(ports.clock.now()) }
  const session = { agentKey: await agentKeyOf(ports, workspaceId, start.record), lock }
  const holder = await takeLock(ports.store, session)
  if (holder) throw lockedBy(holder)
  const abandon = (): Promise<void> => closeSession(ports, session).then(ignore, ignore)
  try {
    const { agent, sip, telephony } = await signIn(ports, session, start)
    return {
      session: agentSession(agent.id, lock, ports.clock.now() + sessionLockTtlMs),
      agent,
      sip,
      telephony,
      abandon,
      confirm: () => confirm(ports, session, agent.id),
    }
  } catch (error) {
    await abandon()
    throw error
  }
}

/** Reads the configuration only if the record does not name the provider agent: a sign-in waits 350 ms at most if the store is away. */
async function agentKeyOf(ports: SessionPorts, workspaceId: string, record: AgentRecord): Promise<ProviderAgentKey> {
  if (record.providerAgentId !== null) return { workspaceId, providerAgentId: record.providerAgentId }
  return { workspaceId, providerAgentId: providerAgentIdOf(record, await ports.configuration.read(workspaceId, 'telephony')) }
}

async function signIn(
  ports: SessionPorts,
  session: LockedSession,
  { record, signal }: SessionStart,
): Promise<Pick<StartedSession, 'agent' | 'sip' | 'telephony'>> {
  const { workspaceId } = session.agentKey
  requirePresent(signal)
  const secrets = await readAgentSecrets(ports, { workspaceId, agentId: record.id })
  const section = await ports.configuration.read(workspaceId, 'telephony')
  const settings = { record, secrets, telephony: section }
  const telephony = await signInLeased(ports, session, { record, provider: providerSignIn(settings) })
  requirePresent(signal)
  return { agent: agentProfile(record, section), sip: sipCredentials(settings), telephony }
}

/** Stores what the sign-out will need before it asks the provider to sign in. */
async function signInLeased(
  ports: SessionPorts,
  { agentKey, lock: { memberId, lockedAt } }: LockedSession,
  { record, provider }: { readonly record: AgentRecord; readonly provider: AgentSignIn | null },
): Promise<TelephonySignIn> {
  const lease = await leaseProviderAgent(ports, agentKey, leaseWaitMs)
  if (!lease) throw new AppError('OVERLOADED', { detail: 'The agent is still being signed out elsewhere', data: { retryAfterSeconds: 5 } })
  try {
    const credentials = provider && { agentId: provider.agentId, password: provider.password }
    const stored = { agentId: record.id, agentName: record.name, memberId, lockedAt, credentials, isOver: false }
    await Promise.all([
      writeSessionRecord(ports, agentKey, stored),
      scheduleCheck(ports.store, agentKey, ports.clock.now() + provisionalLockTtlMs),
    ])
    return await signInAtProvider(ports, agentKey, provider)
  } finally {
    // The answer does not wait for the release.
    void lease[Symbol.asyncDispose]()
  }
}

async function confirm(ports: SessionPorts, session: LockedSession, agentId: string): Promise<void> {
  const { agentKey, lock } = session
  if (await extendLock(ports, session)) await publishSessionState(ports, agentKey, { agentId, lockedAt: lock.lockedAt, state: 'SIGNED_IN' })
}

/** Retries for most of the provisional time, because a store that fails for a moment must not end the session. */
async function extendLock({ store }: SessionPorts, session: LockedSession): Promise<boolean> {
  const giveUpAt = performance.now() + provisionalLockTtlMs - 10_000
  for (;;) {
    try {
      return await renewLock(store, session, sessionLockTtlMs)
    } catch {
      if (performance.now() > giveUpAt) return false
      await pause(1_000, undefined, { ref: false })
    }
  }
}

function lockedBy({ ip, lockedAt }: SessionLock): AppError {
  return new AppError('SESSION_LOCKED', { detail: `Agent is already signed in from ${ip}`, data: { ip, lockedAt } })
}

function requirePresent(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('DEADLINE_PASSED', { detail: 'The client left before the answer', cause: signal.reason })
}

function ignore(): void {}
