import type { Clock } from '../../kernel/clock.ts'
import type { AgentAtProvider } from './agent-at-provider.ts'
import type { Announce } from './session-events.ts'
import type { ProviderTurns } from './provider-lease.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import type { SessionLocks } from './session-lock.ts'
import { type ReadNotes, type SessionRegister, retiredForMs } from './session-records.ts'

export type SweepOptions = {
  readonly locks: SessionLocks
  readonly register: SessionRegister
  readonly turns: ProviderTurns
  readonly provider: AgentAtProvider
  readonly announce: Announce
  readonly clock: Clock
}

/**
 * Looks after sessions whose lock ran out: signs their agents out at the provider, once, and says so; never where a newer lock stands.
 * Tries again, for a day, where the provider could not be reached. To be run every 15 s, on every instance: they do not get in each
 * other's way. Throws STORE_UNAVAILABLE.
 */
export type CleanUpSessions = () => Promise<void>

const atOnce = 10
const perRound = 1_000
/** How long after a sign-out that failed it is tried again. */
const againAfterMs = 60_000

export function createCleanUpSessions(options: SweepOptions): CleanUpSessions {
  const { register, turns, clock } = options

  const look = async (agentKey: ProviderAgentKey): Promise<void> => {
    const turn = await turns.take(agentKey, 0)
    // Somebody acts for this agent just now; the next round looks again.
    if (!turn) return
    try {
      await lookInTurn(options, agentKey)
    } finally {
      await turn.end()
    }
  }

  return async () => {
    const due = await register.due(clock.now(), perRound)
    for (let at = 0; at < due.length; at += atOnce) await Promise.all(due.slice(at, at + atOnce).map(({ agentKey }) => look(agentKey)))
  }
}

async function lookInTurn({ locks, register, provider, announce, clock }: SweepOptions, agentKey: ProviderAgentKey): Promise<void> {
  const standing = await locks.read(agentKey)
  if (standing) return register.lookAgain(agentKey, standing.expiresAt)
  const read = await register.notes(agentKey)
  if (!read) return register.end(agentKey, null)
  const over = await endExpired({ register, announce, clock }, agentKey, read)
  const signedOut = await provider.signOut(agentKey, over.notes.credentials)
  const isHopeless = clock.now() - Date.parse(over.notes.lockedAt) > retiredForMs
  if (signedOut || isHopeless) await register.end(agentKey, over)
  else await register.lookAgain(agentKey, clock.now() + againAfterMs)
}

/** Says once that the session expired, before the provider is asked: that may take several rounds. */
async function endExpired(
  { register, announce, clock }: Pick<SweepOptions, 'register' | 'announce' | 'clock'>,
  agentKey: ProviderAgentKey,
  read: ReadNotes,
): Promise<ReadNotes> {
  if (read.notes.isOver) return read
  await announce(agentKey, { agentId: read.notes.agentId, lockedAt: read.notes.lockedAt, state: 'EXPIRED' })
  return register.retire(agentKey, read, clock.now() + againAfterMs)
}
