import type { Identity } from '../../ports/identity.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { KeptPasswords, PasswordOwner } from './stored-passwords.ts'

export type ProveSignInOptions = { readonly identity: Identity; readonly passwords: KeptPasswords; readonly log: Log }

const notLetIn =
  'The member was made, but the platform lets them sign in only after more, usually after their e-mail address is verified. ' +
  'Switch that off on the platform (IS_EMAIL_VERIFICATION_REQUIRED), or let the person open the link that it mails; then ask again'

/**
 * Tries whether the temporary password opens the door, so that nobody is handed one that does not. Throws PLATFORM_REFUSED where the
 * platform asks for more than the password; anything else does not hold up the answer.
 */
export async function proveSignIn(
  { identity, passwords, log }: ProveSignInOptions,
  owner: PasswordOwner,
  workspace: string,
): Promise<void> {
  const kept = await passwords.read(owner)
  if (typeof kept === 'string') return
  try {
    await identity.logIn({ email: owner.email, password: kept.password, workspace })
  } catch (error) {
    if (error instanceof AppError && error.reason === 'PLATFORM_REFUSED') {
      throw new AppError('PLATFORM_REFUSED', { detail: notLetIn, cause: error.cause })
    }
    log.warn({ err: error, workspaceId: owner.workspaceId }, 'a temporary password could not be tried')
  }
}
