import { AppError } from '../../kernel/errors.ts'
import type { Creations } from './creations.ts'
import type { InviteLinks } from './invite-link.ts'
import type { KeptPasswords } from './stored-passwords.ts'
import type { MemberDirectory, MemberRecord, TeamAccess } from '../../ports/members.ts'

/**
 * Makes the account with a temporary password, kept before it is used. `isAgain`: an earlier try did not come to its end, so its password
 * is taken again. Errors: as `MemberDirectory.signUp` and `InviteLinks.whileOpen`.
 */
export type SignUpMember = (access: TeamAccess, email: string, how: { isAgain: boolean }) => Promise<MemberRecord>

export type SignUpMemberOptions = {
  readonly directory: MemberDirectory
  readonly links: InviteLinks
  readonly passwords: KeptPasswords
  readonly creations: Creations
}

export function createSignUpMember({ directory, links, passwords, creations }: SignUpMemberOptions): SignUpMember {
  const signUp = async (access: TeamAccess, email: string, password: string): Promise<void> => {
    const { workspaceId, signal } = access
    const joined = await links.whileOpen(access, async (inviteHash) => {
      // Older versions make a workspace of its own for a hash that they do not know.
      if (!(await directory.isInviteHashValid(inviteHash, signal))) throw linkUnknown()
      if (signal?.aborted) throw new AppError('DEADLINE_PASSED', { cause: signal.reason })
      return directory.signUp({ email, password, workspaceId, inviteHash }, signal)
    })
    if (joined !== workspaceId) throw joinedElsewhere()
  }

  return async (access, email, { isAgain }) => {
    const owner = { workspaceId: access.workspaceId, email }
    if (!isAgain) await passwords.forget(owner)
    const password = await passwords.prepare(owner)
    try {
      await signUp(access, email, password)
    } catch (error) {
      // No account was made, and none will be.
      if (error instanceof AppError && error.reason === 'WRONG_STATE') await Promise.all([passwords.forget(owner), creations.forget(owner)])
      throw error
    }
    const member = await directory.findByEmail(access, email)
    if (member) return member
    throw new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform signed the member up but does not show them yet; ask again' })
  }
}

function linkUnknown(): AppError {
  return new AppError('PROVIDER_ANSWER_INVALID', { detail: "The platform does not know the workspace's own invite link; nothing was made" })
}

function joinedElsewhere(): AppError {
  const detail = 'The platform put the new account into another workspace; let its administrator remove it there, then ask again'
  return new AppError('PROVIDER_ANSWER_INVALID', { detail })
}
