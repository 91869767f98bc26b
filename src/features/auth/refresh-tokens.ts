import type { RequestContext } from '../../access/request-context.ts'
import { parseInput } from '../../kernel/input.ts'
import type { IssuedTokens } from '../../ports/identity.ts'
import type { AuthPorts } from './auth-ports.ts'
import { readClaims, tokenInput } from '../../access/token-claims.ts'
import { refreshRefused } from './token-renewals.ts'

/** Renews session tokens. Errors: INVALID_INPUT, TOO_MANY_TRIES, TOKEN_REFUSED (`data.endedBy` if the sign-in has ended), those of the platform. */
export async function refreshTokens(
  { credentialGate, tokenRenewals, signIns, clock }: Pick<AuthPorts, 'credentialGate' | 'tokenRenewals' | 'signIns' | 'clock'>,
  { clientAddress, signal, pausing }: Pick<RequestContext, 'clientAddress' | 'signal' | 'pausing'>,
  refreshToken: string,
): Promise<IssuedTokens> {
  const token = parseInput(tokenInput, refreshToken, 'refreshToken')
  // The platform need not be asked about a text that is no token, or about an expired one.
  const claims = readClaims(token)
  if (!claims || (claims.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now()) throw refreshRefused()
  await signIns.checkRenewal(token)
  return tokenRenewals.renew(token, () => credentialGate.enter({ account: null, address: clientAddress, signal, pausing }))
}
