import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { AgentAtProvider } from './agent-at-provider.ts'
import type { ProviderTurn, ProviderTurns } from './provider-lease.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import { type SessionLock, type SessionLocks, provisionalMs } from './session-lock.ts'
import type { ReadNotes, SessionRegister } from './session-records.ts'

export type EndedSession = { readonly released: boolean; readonly providerSignedOut: boolean; readonly agentId: string | null }

/**
 * Ends exactly the session of this lock: signs the agent out at the provider and releases the lock, in this order, so that the next
 * sign-in finds a free agent. A provider that is down or slow does not keep the lock; its sign-out is done later by the sweep. Nothing
 * is touched where the lock stands no more. Throws STORE_UNAVAILABLE.
 */
export type EndSession = (agentKey: ProviderAgentKey, lock: SessionLock) => Promise<EndedSession>

export type SessionEndOptions = {
  readonly locks: SessionLocks
  readonly register: SessionRegister
  readonly turns: ProviderTurns
  readonly provider: AgentAtProvider
  readonly clock: Clock
  readonly log: Log
}

/** How long another act at the provider for the same agent is waited for. */
const turnPatienceMs = 3_000
/** How long the provider may keep the lock. */
const providerPatienceMs = 3_000
const nothing: EndedSession = { released: false, providerSignedOut: false, agentId: null }

export function createEndSession({ locks, register, turns, provider, clock, log }: SessionEndOptions): EndSession {
  const endInTurn = async (agentKey: ProviderAgentKey, lock: SessionLock, turn: ProviderTurn): Promise<EndedSession> => {
    const notes = await retire(agentKey, lock)
    const signingOut = provider.signOut(agentKey, notes?.notes.credentials ?? null)
    const tidying = signingOut.then((done) => (done ? register.end(agentKey, notes) : register.lookAgain(agentKey, clock.now())))
    // The turn lasts as long as the sign-out is under way, also when nobody waits for it any more.
    const finished = tidying
      .catch((error: unknown) => log.warn({ err: error }, 'an ended session is left to the sweep'))
      .finally(() => turn.end())
    const signedOut = await Promise.race([signingOut, pause(providerPatienceMs, false, { ref: false })])
    const released = await locks.release(agentKey, lock)
    if (signedOut) await finished
    return ended(released, signedOut, notes)
  }

  /** What is kept about the session; nothing about it that fails may keep the lock. */
  const retire = async (agentKey: ProviderAgentKey, lock: SessionLock): Promise<ReadNotes | null> => {
    let read: ReadNotes | null = null
    try {
      read = await register.notes(agentKey)
      if (read?.notes.memberId !== lock.memberId || read.notes.lockedAt !== lock.lockedAt) return null
      return await register.retire(agentKey, read, clock.now() + provisionalMs)
    } catch (error) {
      log.warn({ err: error }, 'a session is ended without its notes')
      return read
    }
  }

  return async (agentKey, lock) => {
    const turn = await turns.take(agentKey, turnPatienceMs)
    try {
      // From here on the lock ends by itself soon, should this process die.
      if (!(await locks.renew(agentKey, lock, provisionalMs))) {
        await turn?.end()
        return nothing
      }
      if (turn) return await endInTurn(agentKey, lock, turn)
      const notes = await retire(agentKey, lock)
      return ended(await locks.release(agentKey, lock), false, notes)
    } catch (error) {
      await turn?.end()
      throw error
    }
  }
}

function ended(released: boolean, signedOut: boolean, read: ReadNotes | null): EndedSession {
  const credentials = read?.notes.credentials ?? null
  return { released, providerSignedOut: signedOut && credentials !== null, agentId: read?.notes.agentId ?? null }
}
