import { readClaims } from '../../access/token-claims.ts'
import type { RefusedTokens } from '../../features/sessions/sign-ins/refused-tokens.ts'
import type { SignIns, TokenPair } from '../../features/sessions/sign-ins/sign-ins.ts'
import { type CredentialField, type GatedAnswer, valueIn } from './credentials.ts'

/** What the gateway needs to know about tokens whose sign-in has ended, and to tell about tokens that the platform issues through it. */
export type GatewayTokens = Pick<RefusedTokens, 'checkHeader' | 'follow'> & Pick<SignIns, 'begin' | 'checkRenewal' | 'renewed'>

type Gated = { readonly credentials: readonly CredentialField[]; readonly variables: Readonly<Record<string, unknown>> }

/** Throws TOKEN_REFUSED if the operation renews a token whose sign-in has ended. */
export async function checkRenewals(tokens: GatewayTokens, { credentials, variables }: Gated): Promise<void> {
  for (const { renewedOf } of credentials) {
    const refreshToken = renewedOf(variables)
    if (refreshToken !== null) await tokens.checkRenewal(refreshToken)
  }
}

/** Notes the tokens that the platform's answer issues. Throws TOKEN_REFUSED if the sign-in that they renew has ended meanwhile. */
export async function noteIssued(tokens: GatewayTokens, { credentials, variables }: Gated, answer: GatedAnswer): Promise<void> {
  for (const { key, renewedOf } of credentials) {
    const issued = pairIn(valueIn(answer, key))
    if (issued.accessToken === undefined && issued.refreshToken === undefined) continue
    const refreshToken = renewedOf(variables)
    if (refreshToken === null) await tokens.begin(issued).note()
    else await tokens.renewed(refreshToken, issued)
  }
}

/** The client chooses names and order of the answer's fields. */
function pairIn(answered: unknown): TokenPair {
  if (typeof answered === 'string') {
    const type = readClaims(answered)?.type
    return type === 'ACCESS' ? { accessToken: answered } : type === 'REFRESH' ? { refreshToken: answered } : {}
  }
  const parts = typeof answered === 'object' && answered !== null ? Object.values(answered) : []
  const found: TokenPair = {}
  for (const part of parts) Object.assign(found, pairIn(part))
  return found
}
