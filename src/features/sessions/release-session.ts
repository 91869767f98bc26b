import { z } from 'zod'
import { type Actor, auditActor } from '../../access/actor.ts'
import { parseInput } from '../../kernel/input.ts'
import { sendNotice } from './agent-notices.ts'
import { type ClosedSession, closeSession } from './close-session.ts'
import { publishSessionState } from './session-events.ts'
import { sessionOfAgent } from './session-of-agent.ts'
import type { SessionPorts } from './session-ports.ts'

const inputSchema = z.strictObject({
  agentId: z.string(),
  reason: z.string().trim(),
})

/**
 * Ends an agent's session for a manager, for example after the agent's laptop crashed: refuses the tokens of the sign-in, signs the agent out at the provider,
 * releases the lock and records the reason in the audit log. The agent gets a notice with it. Errors: INVALID_INPUT, NOT_FOUND (no such session in the
 * manager's workspace), STORE_UNAVAILABLE.
 */
export async function releaseSession(
  ports: SessionPorts,
  actor: Pick<Actor, 'principal' | 'clientAddress'>,
  input: { readonly agentId: string; readonly reason: string },
): Promise<ClosedSession> {
  const { agentId, reason } = parseInput(inputSchema, input)
  const { workspaceId } = actor.principal
  const { agentName, signIn, ...session } = await sessionOfAgent(ports, workspaceId, agentId)
  const { memberId, lockedAt } = session.lock
  // First: after an error the manager can release the session again.
  if (signIn) await ports.signIns.endByKey(workspaceId, signIn, 'MANAGER')
  const { released, providerSignedOut } = await closeSession(ports, session)
  if (released) {
    // The log last: the agent and all who follow the sessions get to know it even if it cannot be written.
    await sendNotice(ports, actor, { memberId, kind: 'SESSION_ENDED', message: reason })
    await ports.agentRecordCache.forget({ workspaceId, memberId })
    await publishSessionState(ports, session.agentKey, { agentId, lockedAt, state: 'SIGNED_OUT' })
    await ports.audit.record(workspaceId, {
      actor: auditActor(actor),
      action: 'session.released',
      target: { kind: 'agent', id: agentId, name: agentName },
      details: { reason, memberId, lockedAt, providerSignedOut },
    })
  }
  return { released, providerSignedOut }
}
