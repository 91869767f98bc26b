import { BulkheadRejectedError } from 'cockatiel'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AuthPorts } from './auth-ports.ts'

/** How long a sign-in may take when many sign in at the same time. */
const maxWaitMs = 60_000

/** Runs a sign-in when this process is not working on too many others. Throws OVERLOADED if too many wait. */
export async function limitSignIns<Result>(
  { logInBulkhead }: Pick<AuthPorts, 'logInBulkhead'>,
  context: Pick<RequestContext, 'allowAtLeast'>,
  signIn: () => Promise<Result>,
): Promise<Result> {
  context.allowAtLeast(maxWaitMs)
  try {
    return await logInBulkhead.execute(signIn)
  } catch (error) {
    if (error instanceof BulkheadRejectedError) throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 10 } })
    throw error
  }
}
