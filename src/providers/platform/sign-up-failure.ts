import { AppError } from '../../kernel/errors.ts'
import { platformErrorOf } from './failure.ts'

const knownElsewhere =
  'This e-mail address has an account on the platform already, outside this workspace, and nobody but its owner can sign it up here. ' +
  "Invite the person from the platform's own settings; once they have joined, give them their role and agent record here"
const tooWeak =
  'The platform takes no temporary password (16 letters and digits): its password rule is stricter than that. ' +
  "Let the platform's administrator relax the rule, then ask again"
const mustVerify =
  'The platform lets nobody in before their e-mail address is verified. Switch that off on the platform ' +
  '(IS_EMAIL_VERIFICATION_REQUIRED), or let the person open the link that it mails; then ask again'

/** The error for each way in which the platform refuses a sign-up. The messages were recorded from versions 1.3 to 2.21. */
export function signUpError(error: unknown): unknown {
  const platformError = platformErrorOf(error)
  if (!platformError) return error
  const words = platformError.platformMessage()
  if (platformError.facts.subCode === 'EMAIL_NOT_VERIFIED' || /not verified|verif(y|ication)/i.test(words)) {
    return new AppError('PLATFORM_REFUSED', { detail: mustVerify, cause: platformError })
  }
  if (/too weak|password (strength|policy|rule)|stronger/i.test(words)) {
    return new AppError('PLATFORM_REFUSED', { detail: tooWeak, cause: platformError })
  }
  if (/^(Wrong password|User already exists)/i.test(words)) {
    return new AppError('WRONG_STATE', { detail: knownElsewhere, cause: platformError })
  }
  if (!(error instanceof AppError) || error.reason !== 'PLATFORM_REFUSED') return error
  return new AppError('PLATFORM_REFUSED', { detail: `The platform refused the sign-up: ${words.slice(0, 300)}`, cause: platformError })
}
