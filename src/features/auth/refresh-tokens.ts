import type { RequestContext } from '../../access/request-context.ts'
import { parseInput } from '../../kernel/input.ts'
import type { IssuedTokens } from '../../ports/identity.ts'
import type { AuthPorts } from './auth-ports.ts'
import { readClaims, tokenInput } from './token-claims.ts'
import { refreshRefused } from './token-renewals.ts'

/** Renews session tokens. Errors: INVALID_INPUT, TOO_MANY_TRIES, TOKEN_REFUSED, those of the platform. */
export async function refreshTokens(
  { credentialGate, tokenRenewals, clock }: Pick<AuthPorts, 'credentialGate' | 'tokenRenewals' | 'clock'>,
  { clientAddress, signal }: Pick<RequestContext, 'clientAddress' | 'signal'>,
  refreshToken: string,
): Promise<IssuedTokens> {
  const token = parseInput(tokenInput, refreshToken, 'refreshToken')
  // The platform need not be asked about a text that is no token, or about an expired one.
  const claims = readClaims(token)
  if (!claims || (claims.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now()) throw refreshRefused()
  return tokenRenewals.renew(token, () => credentialGate.enter({ account: null, address: clientAddress, signal }))
}
