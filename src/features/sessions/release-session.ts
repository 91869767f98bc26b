import { z } from 'zod'
import { type Actor, auditActor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import { type ClosedSession, closeSession } from './close-session.ts'
import { agentKeysOf } from './session-checks.ts'
import { publishSessionState } from './session-events.ts'
import { type LockedSession, readLock } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import { readSessionRecords } from './session-records.ts'

const inputSchema = z.strictObject({
  agentId: z.string(),
  reason: z.string().trim(),
})

/**
 * Ends an agent's session for a manager, for example after the agent's laptop crashed: signs the agent out at the provider, releases the lock
 * and records the reason in the audit log. Errors: INVALID_INPUT, NOT_FOUND (no such session in the manager's workspace), STORE_UNAVAILABLE.
 */
export async function releaseSession(
  ports: SessionPorts,
  actor: Pick<Actor, 'principal' | 'clientAddress'>,
  input: { readonly agentId: string; readonly reason: string },
): Promise<ClosedSession> {
  const { agentId, reason } = parseInput(inputSchema, input)
  const { workspaceId } = actor.principal
  const { session, agentName } = await sessionOfAgent(ports, workspaceId, agentId)
  const { memberId, lockedAt } = session.lock
  const { released, providerSignedOut } = await closeSession(ports, session)
  if (released) {
    await ports.audit.record(workspaceId, {
      actor: auditActor(actor),
      action: 'session.released',
      target: { kind: 'agent', id: agentId, name: agentName },
      details: { reason, memberId, lockedAt, providerSignedOut },
    })
    await ports.agentRecordCache.forget({ workspaceId, memberId })
    await publishSessionState(ports, session.agentKey, { agentId, lockedAt, state: 'SIGNED_OUT' })
  }
  return { released, providerSignedOut }
}

async function sessionOfAgent(
  ports: Pick<SessionPorts, 'store' | 'sessionBox'>,
  workspaceId: string,
  agentId: string,
): Promise<{ readonly session: LockedSession; readonly agentName: string }> {
  const agentKeys = await agentKeysOf(ports.store, workspaceId)
  const records = await readSessionRecords(ports, agentKeys)
  for (const [index, agentKey] of agentKeys.entries()) {
    const record = records[index]
    if (record?.agentId !== agentId) continue
    const held = await readLock(ports.store, agentKey)
    if (held && held.lock.lockedAt === record.lockedAt) return { session: { agentKey, lock: held.lock }, agentName: record.agentName }
  }
  throw new AppError('NOT_FOUND', { detail: 'This agent has no session' })
}
