import { type Actor, auditActor } from '../../access/actor.ts'
import { z } from 'zod'
import type { Principals } from '../auth/principals.ts'
import type { Audit } from '../../ports/audit.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Store } from '../../ports/store.ts'
import { writeAgentSecrets } from '../sessions/agent-secrets.ts'
import { endMemberSession } from '../sessions/end-member-session.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import type { Creations } from './creations.ts'
import type { KeptPasswords } from './stored-passwords.ts'
import { requireOtherManager } from './manager-remains.ts'
import type { MemberDirectory, TeamAccess, TeamAgents } from '../../ports/members.ts'
import { accessOf } from './team-member.ts'
import type { ReadRoles } from './team-roles.ts'
import type { WorkspaceTurns } from './workspace-lease.ts'

/** `sessionEnded`: whether an agent session was ended by this. */
export type DeactivatedMember = { readonly memberId: string; readonly sessionEnded: boolean }

/**
 * Removes a member from the workspace, ends their session at once (lock and provider) and forgets their passwords. Errors: NOT_FOUND,
 * WRONG_STATE (oneself, the last manager), PLATFORM_REFUSED, OVERLOADED, STORE_UNAVAILABLE, those of the platform. Asking again finishes
 * what stopped half way.
 */
export type DeactivateTeamMember = (caller: Actor, memberId: string) => Promise<DeactivatedMember>

export type DeactivateTeamMemberOptions = {
  readonly directory: MemberDirectory
  readonly readRoles: ReadRoles
  readonly agents: TeamAgents
  readonly creations: Creations
  readonly passwords: KeptPasswords
  readonly turns: WorkspaceTurns
  readonly principals: Pick<Principals, 'forget'>
  readonly sessionPorts: SessionPorts
  readonly store: Store
  readonly audit: Audit
}

const leavingSchema = z.object({ email: z.string(), agentId: z.string().nullable() })
type Leaving = z.output<typeof leavingSchema>
const leavingMs = 24 * 3_600_000

export function createDeactivateTeamMember(options: DeactivateTeamMemberOptions): DeactivateTeamMember {
  const { turns, store, audit } = options
  return async (caller, memberId) => {
    const { workspaceId } = caller.principal
    if (memberId === caller.principal.memberId) {
      throw new AppError('WRONG_STATE', { detail: 'Nobody can deactivate themselves; ask another manager' })
    }
    return turns.take(workspaceId, async (signal) => {
      const access = accessOf(caller, signal)
      const key = `team:${workspaceId}:leaving:${memberId}`
      const leaving = (await begin(options, access, memberId)) ?? readLeaving(await store.get(key))
      if (!leaving) throw new AppError('NOT_FOUND', { detail: 'There is no such member in this workspace' })
      await store.set(key, JSON.stringify(leaving), { ttlMs: leavingMs })
      await options.directory.remove(access, memberId)
      const sessionEnded = await cleanUp(options, access, { memberId, leaving })
      await audit.record(workspaceId, {
        actor: auditActor(caller),
        action: 'member.deactivated',
        target: { kind: 'member', id: memberId },
        details: { sessionEnded },
      })
      await store.delete(key)
      return { memberId, sessionEnded }
    })
  }
}

/** What must be known of the member afterwards; null where the platform has no such member (any more). */
async function begin(
  { directory, readRoles, agents }: DeactivateTeamMemberOptions,
  access: TeamAccess,
  memberId: string,
): Promise<Leaving | null> {
  const member = await directory.byId(access, memberId)
  if (!member) return null
  const [roles, agentOf] = await Promise.all([readRoles(access), agents.ofMembers(access, [memberId])])
  requireOtherManager(roles, memberId)
  return { email: member.email, agentId: agentOf.get(memberId)?.id ?? null }
}

type Cleaning = { readonly memberId: string; readonly leaving: Leaving }

async function cleanUp(options: DeactivateTeamMemberOptions, access: TeamAccess, { memberId, leaving }: Cleaning): Promise<boolean> {
  const { principals, sessionPorts, agents, passwords, creations } = options
  const { workspaceId } = access
  const owner = { workspaceId, email: leaving.email }
  await principals.forget({ workspaceId, memberId })
  const sessionEnded = await endMemberSession(sessionPorts, { workspaceId, memberId })
  await passwords.forget(owner)
  await creations.forget(owner)
  if (leaving.agentId !== null) {
    const agent = { workspaceId, agentId: leaving.agentId }
    await writeAgentSecrets(sessionPorts, agent, { sipPassword: null, providerAgentPassword: null })
    await agents.unlink(access, leaving.agentId).catch(ignoreNotFound)
  }
  return sessionEnded
}

function readLeaving(text: string | null): Leaving | null {
  return text === null ? null : leavingSchema.parse(JSON.parse(text))
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof AppError && error.reason === 'NOT_FOUND')) throw error
}
