import { bulkhead } from 'cockatiel'
import { createRefusedTokens } from '../sessions/sign-ins/refused-tokens.ts'
import { createSignIns } from '../sessions/sign-ins/sign-ins.ts'
import type { AuthPorts, AuthState } from './auth-ports.ts'
import { createCredentialGate, type LimiterOf } from './credential-gate.ts'
import { lookUpPrincipal } from './look-up-principal.ts'
import { createPrincipals } from './principals.ts'
import { createTokenRenewals } from './token-renewals.ts'

/** A thousand people who begin their shift together wait for one another, and none is refused. */
const atOnce = 100
const maxWaiting = 20_000

/** Creates what sign-in holds in memory; once per process. `limiterOf` makes a rate limiter that all instances share. */
export function createAuthState(ports: Omit<AuthPorts, keyof AuthState>, limiterOf: LimiterOf): AuthState {
  const refusedTokens = createRefusedTokens(ports)
  const signIns = createSignIns({ ...ports, refusedTokens })
  return {
    refusedTokens,
    signIns,
    principals: createPrincipals({ ...ports, refusedTokens }, (accessToken, onRole) => lookUpPrincipal(ports, accessToken, { onRole }), {
      awayMs: ports.platformAwayMs,
    }),
    credentialGate: createCredentialGate(ports, limiterOf),
    tokenRenewals: createTokenRenewals({ ...ports, signIns }),
    logInBulkhead: bulkhead(atOnce, maxWaiting),
  }
}
