import { type Actor, auditActor } from '../../access/actor.ts'
import { memberName } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { teamAccess } from './describe-members.ts'
import { readTeamRoles } from './team-roles.ts'
import type { TeamPorts } from './team-ports.ts'
import { findTemporaryPassword, type NoPassword, type TemporaryPassword } from './temporary-passwords.ts'

const noPasswordDetails: Readonly<Record<NoPassword, string>> = {
  NEVER_STORED: 'No temporary password was ever stored for this member',
  EXPIRED: 'The temporary password has expired; let the member reset the password by e-mail on the platform',
  CHANGED: 'The member has signed in with a password of their own',
}

/**
 * Reads a member's temporary password. Each read is recorded in the audit log before it is answered. Errors: NOT_FOUND (no such member; or
 * `data.why`: NEVER_STORED, EXPIRED, CHANGED), PLATFORM_REFUSED (the actor may not manage roles there), STORE_UNAVAILABLE, those of the platform.
 */
export async function readTemporaryPassword(
  ports: TeamPorts,
  actor: Actor,
  { memberId, signal }: { readonly memberId: string; readonly signal: AbortSignal },
): Promise<TemporaryPassword> {
  const { workspaceId } = actor.principal
  const access = teamAccess(actor, signal)
  // A password gives all rights of its owner: whom the platform does not trust with roles gets none.
  const [member] = await Promise.all([ports.members.byId(access, memberId), readTeamRoles(ports, access)])
  if (!member) throw new AppError('NOT_FOUND', { detail: 'There is no such member in this workspace' })
  const found = await findTemporaryPassword(ports, { workspaceId, email: member.email })
  if (typeof found === 'string') throw new AppError('NOT_FOUND', { detail: noPasswordDetails[found], data: { why: found } })
  await ports.audit.record(workspaceId, {
    actor: auditActor(actor),
    action: 'temporary-password.read',
    target: { kind: 'member', id: memberId, name: memberName(member) },
    details: {},
  })
  return found
}
