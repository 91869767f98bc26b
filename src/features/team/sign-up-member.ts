import { AppError } from '../../kernel/errors.ts'
import type { MemberRecord, TeamAccess } from '../../ports/members.ts'
import { forgetCreation } from './creations.ts'
import { withOpenInviteLink } from './with-open-invite-link.ts'
import type { TeamPorts } from './team-ports.ts'
import { deleteTemporaryPassword, prepareTemporaryPassword } from './temporary-passwords.ts'

type SignUp = {
  readonly email: string
  /** Whether an earlier attempt did not finish: then its password is used again. */
  readonly isRepeated: boolean
}

/**
 * Creates an account with a temporary password, which is stored before it is used. Errors: those of `MemberDirectory.signUp` and
 * `withOpenInviteLink`.
 */
export async function signUpMember(ports: TeamPorts, access: TeamAccess, { email, isRepeated }: SignUp): Promise<MemberRecord> {
  const owner = { workspaceId: access.workspaceId, email }
  if (!isRepeated) await deleteTemporaryPassword(ports, owner)
  const password = await prepareTemporaryPassword(ports, owner)
  try {
    await signUp(ports, access, { email, password })
  } catch (error) {
    // No account was created, and none will be.
    if (error instanceof AppError && error.reason === 'WRONG_STATE') {
      await Promise.all([deleteTemporaryPassword(ports, owner), forgetCreation(ports, owner)])
    }
    throw error
  }
  const member = await ports.members.findByEmail(access, email)
  if (member) return member
  const detail = 'The platform created the account but does not show the member yet; repeat the request'
  throw new AppError('PROVIDER_ANSWER_INVALID', { detail })
}

async function signUp(
  ports: TeamPorts,
  access: TeamAccess,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const { workspaceId, signal } = access
  const joinedId = await withOpenInviteLink(ports, access, async (inviteHash) => {
    // Older platform versions create a new workspace for an unknown hash.
    if (!(await ports.members.isInviteHashValid(inviteHash, signal))) throw linkUnknown()
    if (signal?.aborted) throw new AppError('DEADLINE_PASSED', { cause: signal.reason })
    return ports.members.signUp({ email, password, workspaceId, inviteHash }, signal)
  })
  if (joinedId !== workspaceId) throw joinedElsewhere()
}

function linkUnknown(): AppError {
  return new AppError('PROVIDER_ANSWER_INVALID', {
    detail: "The platform does not know the workspace's own invite link; nothing was created",
  })
}

function joinedElsewhere(): AppError {
  const detail = 'The platform put the new account into another workspace; let its administrator remove it there, then repeat the request'
  return new AppError('PROVIDER_ANSWER_INVALID', { detail })
}
