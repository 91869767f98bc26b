import { setTimeout as pause } from 'node:timers/promises'
import { type Actor, auditActor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { AgentProfile, AgentRecord } from '../../ports/records/agent.ts'
import type { AgentSignIn } from '../../ports/telephony.ts'
import { leaseProviderAgent, signInAtProvider, type TelephonySignIn } from './agent-at-provider.ts'
import { readAgentSecrets } from './agent-secrets.ts'
import { type AgentSession, agentSession } from './agent-session.ts'
import { closeSession } from './close-session.ts'
import { endFormerSession, formerSession, restoreFormerSession } from './former-session.ts'
import { lockAgent, type TakeOverWish } from './lock-agent.ts'
import type { MemberSession } from './current-session.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import { agentProfile, providerAgentIdOf } from './read-agent.ts'
import { scheduleCheck } from './session-checks.ts'
import { publishSessionState } from './session-events.ts'
import { type LockedSession, provisionalLockTtlMs, readLock, renewLock, type SessionLock, sessionLockTtlMs } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import { writeSessionRecord } from './session-records.ts'
import type { SignInKey } from './sign-ins/sign-ins.ts'
import { providerSignIn, type SipCredentials, sipCredentials } from './sip-credentials.ts'
import { announceTakeOver, type ReplacedSession, undoTakeOver } from './take-over.ts'

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

export type SessionStart = {
  readonly record: AgentRecord
  /** Aborts when the client is gone: then no new session remains. */
  readonly signal: AbortSignal
  /** Undefined at log-in, which offers no take-over. */
  readonly wanted?: TakeOverWish
}

/** Take-overs of one session in a row that were not confirmed: more are given up. */
const maxReplaced = 10
/** Longer than a request to the provider that the sign-out of the session before may still have under way. */
const leaseWaitMs = 12_000

/**
 * Takes the agent's one session and signs the agent in at the provider. Errors: SESSION_LOCKED (`data.ip`, `data.lockedAt`; `data.own` if
 * a take-over is offered), SESSION_TAKEN_OVER (by another device in the meantime), STORE_UNAVAILABLE, OVERLOADED, and DEADLINE_PASSED if the
 * client is gone. After an error no new session remains, and one that was to be taken over continues. A session that the member has with another agent of
 * the provider, because the record named that one before, ends when the new one is confirmed.
 */
export async function startSession(ports: SessionPorts, actor: Actor, start: SessionStart): Promise<StartedSession> {
  const { session, replaced } = await lockAgent(ports, actor, {
    ...start,
    agentKey: await agentKeyOf(ports, actor.principal.workspaceId, start.record),
  })
  let former: MemberSession | null = null
  const restoreFormer = async (): Promise<void> => {
    if (former && !(await hasNewerSession(ports, session))) await restoreFormerSession(ports, former, session.agentKey)
  }
  const giveUp = async (): Promise<void> => {
    if (replaced) return undoTakeOver(ports, session, replaced)
    try {
      await closeSession(ports, session)
    } finally {
      // The member is live there: a store that fails for a moment must not lose that session. Nobody waits for the retries.
      await restoreFormer().catch(() => void retried(restoreFormer))
    }
  }
  const abandon = (): Promise<void> => giveUp().catch(ignore)
  try {
    former = replaced ? null : await formerSession(ports, actor.principal, session.agentKey)
    const ended = replaced ?? former
    const takenOverBy = ended && hashOf(actor.accessToken)
    const signInKey = await ports.signIns.keyOf(actor.accessToken)
    const replaces = replaced?.signIns ?? [former?.record?.signIn ?? []].flat()
    // Another tab of the same browser has the same sign-in.
    const own = {
      ...session,
      takenOverBy,
      signIn: signInKey,
      replaces: replaces.filter(({ id }) => id !== signInKey?.id).slice(-maxReplaced),
    }
    const { agent, sip, telephony } = await signIn(ports, own, start)
    if (ended) await auditTakeOver(ports, actor, { agent, lock: ended.lock })
    return {
      session: agentSession(agent.id, session.lock, ports.clock.now() + sessionLockTtlMs),
      agent,
      sip,
      telephony,
      abandon,
      confirm: () => confirm(ports, own, { agentId: agent.id, replaced, former }),
    }
  } catch (error) {
    await abandon()
    throw error
  }
}

/** Whether another device of the member has taken this session over, or has signed in after it expired. */
async function hasNewerSession({ store }: Pick<SessionPorts, 'store'>, { agentKey, lock }: LockedSession): Promise<boolean> {
  const held = await readLock(store, agentKey)
  return held !== null && held.lock.memberId === lock.memberId && held.lock.id !== lock.id
}

/** `takenOverBy`: hash of the access token that took the session over; null if it took over none. */
type NewSession = LockedSession & {
  readonly takenOverBy: string | null
  readonly signIn: SignInKey | null
  readonly replaces: readonly SignInKey[]
}
/** Reads the configuration only if the record does not name the provider agent: a sign-in waits 350 ms at most if the store is away. */
async function agentKeyOf(ports: SessionPorts, workspaceId: string, record: AgentRecord): Promise<ProviderAgentKey> {
  if (record.providerAgentId !== null) return { workspaceId, providerAgentId: record.providerAgentId }
  return { workspaceId, providerAgentId: providerAgentIdOf(record, await ports.configuration.read(workspaceId, 'telephony')) }
}

async function auditTakeOver(
  { audit }: Pick<SessionPorts, 'audit'>,
  actor: Actor,
  { agent: { id, name }, lock }: { readonly agent: AgentProfile; readonly lock: SessionLock },
): Promise<void> {
  await audit.record(actor.principal.workspaceId, {
    actor: auditActor(actor),
    action: 'session.taken-over',
    target: { kind: 'agent', id, name },
    details: { fromIp: lock.ip, lockedAt: lock.lockedAt },
  })
}

async function signIn(
  ports: SessionPorts,
  session: NewSession,
  { record, signal }: SessionStart,
): Promise<Pick<StartedSession, 'agent' | 'sip' | 'telephony'>> {
  const { workspaceId } = session.agentKey
  requirePresent(signal)
  const { secrets, reason: missing } = await readAgentSecrets(ports, { workspaceId, agentId: record.id, memberId: session.lock.memberId })
  const section = await ports.configuration.read(workspaceId, 'telephony')
  const settings = { record, secrets, telephony: section }
  const telephony = await signInLeased(ports, session, { record, provider: providerSignIn(settings), missing })
  requirePresent(signal)
  return { agent: agentProfile(record, section), sip: sipCredentials(settings), telephony }
}

/** Stores what the sign-out will need before it asks the provider to sign in. */
async function signInLeased(
  ports: SessionPorts,
  session: NewSession,
  { record, provider, missing }: { readonly record: AgentRecord; readonly provider: AgentSignIn | null; readonly missing: string | null },
): Promise<TelephonySignIn> {
  const {
    agentKey,
    lock: { memberId, lockedAt },
    takenOverBy,
    signIn,
    replaces,
  } = session
  const lease = await leaseProviderAgent(ports, agentKey, leaseWaitMs)
  if (!lease) throw new AppError('OVERLOADED', { detail: 'The agent is still being signed out elsewhere', data: { retryAfterSeconds: 5 } })
  try {
    // A take-over by another device may have come first; it must not find a record of this session.
    if (!(await renewLock(ports.store, session, provisionalLockTtlMs))) throw new AppError('SESSION_TAKEN_OVER')
    const credentials = provider && { agentId: provider.agentId, password: provider.password }
    const stored = {
      agentId: record.id,
      agentName: record.name,
      memberId,
      lockedAt,
      credentials,
      isOver: false,
      takenOverBy,
      signIn,
      replaces: [...replaces],
    }
    await Promise.all([
      writeSessionRecord(ports, agentKey, stored),
      scheduleCheck(ports.store, agentKey, ports.clock.now() + provisionalLockTtlMs),
    ])
    return await signInAtProvider(ports, agentKey, { agent: provider, missing })
  } finally {
    // The answer does not wait for the release.
    void lease[Symbol.asyncDispose]()
  }
}

type Confirmed = { readonly agentId: string; readonly replaced: ReplacedSession | null; readonly former: MemberSession | null }

async function confirm(ports: SessionPorts, session: NewSession, { agentId, replaced, former }: Confirmed): Promise<void> {
  const {
    agentKey,
    lock: { memberId, lockedAt },
    takenOverBy: tokenHash,
  } = session
  if (!(await extendLock(ports, session))) return
  if (tokenHash !== null) await announceTakeOver(ports, agentKey.workspaceId, { memberId, lockedAt, tokenHash })
  if (former) await endFormerSession(ports, former)
  for (const lost of session.replaces) void retried(() => ports.signIns.endByKey(agentKey.workspaceId, lost, 'TAKE_OVER').then(() => true))
  if (replaced) {
    await publishSessionState(ports, agentKey, { agentId, lockedAt: replaced.lock.lockedAt, state: 'SIGNED_OUT' })
  }
  await publishSessionState(ports, agentKey, { agentId, lockedAt, state: 'SIGNED_IN' })
}

/** A store that fails for a moment must not end the session. */
async function extendLock({ store }: SessionPorts, session: LockedSession): Promise<boolean> {
  return (await retried(() => renewLock(store, session, sessionLockTtlMs))) ?? false
}

/** Retries a failing step every second for most of the provisional time; null if it never succeeds. */
async function retried<Result>(step: () => Promise<Result>): Promise<Result | null> {
  const giveUpAt = performance.now() + provisionalLockTtlMs - 10_000
  for (;;) {
    try {
      return await step()
    } catch {
      if (performance.now() > giveUpAt) return null
      await pause(1_000, undefined, { ref: false })
    }
  }
}

function requirePresent(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('DEADLINE_PASSED', { detail: 'The client left before the answer', cause: signal.reason })
}

function ignore(): void {}
