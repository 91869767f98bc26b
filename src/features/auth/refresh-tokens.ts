import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { parseInput } from '../../kernel/input.ts'
import type { CredentialGate } from './credential-gate.ts'
import type { IssuedTokens } from '../../ports/identity.ts'
import { refreshRefused, type ShareRenewal } from './token-renewals.ts'
import { readClaims } from './token-claims.ts'

export type RefreshTokensOptions = { readonly gate: CredentialGate; readonly renew: ShareRenewal; readonly clock: Clock }
type Asking = { readonly clientAddress: string; readonly signal: AbortSignal }

/** Renews session tokens. Errors: INVALID_INPUT, TOO_MANY_TRIES, TOKEN_REFUSED, those of the platform. */
export type RefreshTokens = (refreshToken: string, asking: Asking) => Promise<IssuedTokens>

/** Longer than any token of the platform. */
export const tokenInput = z.string().min(1, 'must not be empty').max(8_192, 'is too long for a token')

export function createRefreshTokens({ gate, renew, clock }: RefreshTokensOptions): RefreshTokens {
  return async (refreshToken, { clientAddress, signal }) => {
    const token = parseInput(tokenInput, refreshToken, 'refreshToken')
    // What is no token, or has ended, need not be asked about.
    const claims = readClaims(token)
    if (!claims || (claims.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now()) throw refreshRefused()
    return renew(token, () => gate.enter({ account: null, address: clientAddress, signal }))
  }
}
