import { type Actor, auditActor } from '../../access/actor.ts'
import type { Audit } from '../../ports/audit.ts'
import { AppError } from '../../kernel/errors.ts'
import type { KeptPassword, KeptPasswords, NoPassword } from './stored-passwords.ts'
import type { MemberDirectory } from '../../ports/members.ts'
import { accessOf } from './team-member.ts'

/**
 * Reads a member's temporary password; every reading is audited before it is answered. Errors: NOT_FOUND (no such member; or
 * `data.why`: NEVER_KEPT, EXPIRED, CHANGED), STORE_UNAVAILABLE, those of the platform.
 */
export type ReadTemporaryPassword = (caller: Actor, memberId: string, signal: AbortSignal) => Promise<KeptPassword>

export type ReadTemporaryPasswordOptions = { readonly directory: MemberDirectory; readonly passwords: KeptPasswords; readonly audit: Audit }

const whyNot: Readonly<Record<NoPassword, string>> = {
  NEVER_KEPT: 'No temporary password was ever kept for this member',
  EXPIRED: "The temporary password has expired; let the member reset theirs by the platform's mail",
  CHANGED: 'The member has signed in with a password of their own',
}

export function createReadTemporaryPassword({ directory, passwords, audit }: ReadTemporaryPasswordOptions): ReadTemporaryPassword {
  return async (caller, memberId, signal) => {
    const { workspaceId } = caller.principal
    const member = await directory.byId(accessOf(caller, signal), memberId)
    if (!member) throw new AppError('NOT_FOUND', { detail: 'There is no such member in this workspace' })
    const kept = await passwords.read({ workspaceId, email: member.email })
    if (typeof kept === 'string') throw new AppError('NOT_FOUND', { detail: whyNot[kept], data: { why: kept } })
    await audit.record(workspaceId, {
      actor: auditActor(caller),
      action: 'temporary-password.read',
      target: { kind: 'member', id: memberId },
      details: {},
    })
    return kept
  }
}
