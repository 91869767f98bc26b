import type { Configuration } from '../../ports/configuration/configuration.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AgentAtProvider, TelephonySignIn } from './agent-at-provider.ts'
import type { AgentConfiguration } from './agent-record-cache.ts'
import type { AgentSecrets } from './agent-secrets.ts'
import { type AgentProfile, agentProfile } from './read-agent.ts'
import { type AgentSession, agentSession } from './agent-session.ts'
import type { Member } from '../../ports/agents.ts'
import type { Announce } from './session-events.ts'
import type { ProviderTurns } from './provider-lease.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import type { EndSession } from './close-session.ts'
import { type SessionLock, type SessionLocks, provisionalMs, sessionMs } from './session-lock.ts'
import type { SessionRegister } from './session-records.ts'
import { type SipCredentials, providerSignIn, sipCredentials } from './sip-credentials.ts'

export type SessionStart = {
  readonly member: Member
  readonly agent: AgentConfiguration
  readonly ip: string
  /** Aborts when the client is gone: then no session stays. */
  readonly signal: AbortSignal
}

/**
 * A session whose lock is still provisional (a minute): call exactly one of the two. `confirm` when the answer has gone out: it becomes
 * the hour. `abandon` when it will not: all is undone. Neither throws.
 */
export type StartedSession = {
  readonly session: AgentSession
  readonly agent: AgentProfile
  readonly sip: SipCredentials | null
  readonly telephony: TelephonySignIn
  confirm(): Promise<void>
  abandon(): Promise<void>
}

/**
 * Takes the agent's one session and signs the agent in at the provider. Errors: SESSION_LOCKED (`data.ip`, `data.lockedAt`),
 * STORE_UNAVAILABLE, OVERLOADED, and DEADLINE_PASSED for a client that is gone; none leaves a session behind.
 */
export type StartSession = (start: SessionStart) => Promise<StartedSession>

export type StartSessionOptions = {
  readonly locks: SessionLocks
  readonly register: SessionRegister
  readonly turns: ProviderTurns
  readonly provider: AgentAtProvider
  readonly secrets: AgentSecrets
  readonly configuration: Configuration
  readonly endSession: EndSession
  readonly announce: Announce
  readonly clock: Clock
}

/** Longer than any act at the provider that a predecessor's sign-out may still have under way. */
const turnPatienceMs = 12_000

export function createStartSession(options: StartSessionOptions): StartSession {
  const { locks, configuration, secrets, endSession, announce, clock } = options

  return async ({ member, agent, ip, signal }) => {
    const agentKey: ProviderAgentKey = { workspaceId: member.workspaceId, providerAgentId: await agent.providerAgentId() }
    const lock: SessionLock = { memberId: member.memberId, ip, lockedAt: isoMoment(clock.now()) }
    const { holder } = await locks.take(agentKey, lock)
    if (holder) throw lockedBy(holder)
    const undo = (): Promise<void> => endSession(agentKey, lock).then(noResult, noResult)
    try {
      requirePresent(signal)
      const own = await secrets.read(member.workspaceId, agent.record.id)
      const [profile, sip, telephonySection] = await Promise.all([
        agentProfile(agent),
        sipCredentials(agent, own),
        configuration.read(member.workspaceId, 'telephony'),
      ])
      const telephony = await signIn(options, { agentKey, lock, agent, signInAs: providerSignIn(agent, own, telephonySection) })
      requirePresent(signal)
      return {
        session: agentSession(agent.record.id, lock, clock.now() + sessionMs),
        agent: profile,
        sip,
        telephony,
        abandon: undo,
        confirm: async () => {
          if (await confirmLock(locks, agentKey, lock))
            await announce(agentKey, { agentId: agent.record.id, lockedAt: lock.lockedAt, state: 'SIGNED_IN' })
        },
      }
    } catch (error) {
      await undo()
      throw error
    }
  }
}

type SignIn = {
  readonly agentKey: ProviderAgentKey
  readonly lock: SessionLock
  readonly agent: AgentConfiguration
  readonly signInAs: ReturnType<typeof providerSignIn>
}

/** What may have to be signed out again is written down before the provider is asked. */
async function signIn(
  { turns, register, provider, clock }: StartSessionOptions,
  { agentKey, lock, agent, signInAs }: SignIn,
): Promise<TelephonySignIn> {
  const turn = await turns.take(agentKey, turnPatienceMs)
  if (!turn) throw new AppError('OVERLOADED', { detail: 'This agent is still being signed out elsewhere', data: { retryAfterSeconds: 5 } })
  try {
    const { id, name } = agent.record
    const credentials = signInAs && { agentId: signInAs.agentId, password: signInAs.password }
    const notes = { agentId: id, agentName: name, memberId: lock.memberId, lockedAt: lock.lockedAt, credentials, isOver: false }
    await register.begin(agentKey, notes, clock.now() + provisionalMs)
    return await provider.signIn(agentKey, signInAs)
  } finally {
    void turn.end()
  }
}

/** A store that fails for a moment must not cost the agent the hour: tried again for most of the provisional time. */
async function confirmLock(locks: SessionLocks, agentKey: ProviderAgentKey, lock: SessionLock): Promise<boolean> {
  const giveUpAt = performance.now() + provisionalMs - 10_000
  for (;;) {
    try {
      return await locks.renew(agentKey, lock, sessionMs)
    } catch {
      if (performance.now() > giveUpAt) return false
      await new Promise((resolve) => setTimeout(resolve, 1_000).unref())
    }
  }
}

function lockedBy({ ip, lockedAt }: SessionLock): AppError {
  return new AppError('SESSION_LOCKED', { detail: `Agent is already signed in from ${ip}`, data: { ip, lockedAt } })
}

function requirePresent(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('DEADLINE_PASSED', { detail: 'The client left before the answer', cause: signal.reason })
}

function noResult(): void {}
