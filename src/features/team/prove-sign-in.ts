import { AppError } from '../../kernel/errors.ts'
import type { TeamPorts } from './team-ports.ts'
import { findTemporaryPassword, type PasswordOwner } from './temporary-passwords.ts'

const signInRefused =
  'The member was created, but the platform lets them sign in only after another step, usually after their e-mail address is verified. ' +
  'Switch that off on the platform (IS_EMAIL_VERIFICATION_REQUIRED), or let the person open the link in the e-mail; then repeat the request'

/**
 * Signs in with the temporary password, so that nobody gets a password that does not work. Throws PLATFORM_REFUSED if the platform requires
 * more than the password; other errors are only logged.
 */
export async function proveSignIn(ports: TeamPorts, owner: PasswordOwner, workspace: string): Promise<void> {
  const found = await findTemporaryPassword(ports, owner)
  if (typeof found === 'string') return
  try {
    await ports.identity.logIn({ email: owner.email, password: found.password, workspace })
  } catch (error) {
    if (error instanceof AppError && error.reason === 'PLATFORM_REFUSED') {
      throw new AppError('PLATFORM_REFUSED', { detail: signInRefused, cause: error.cause })
    }
    ports.log.warn({ err: error, workspaceId: owner.workspaceId }, 'team.temporary-password-not-tested')
  }
}
