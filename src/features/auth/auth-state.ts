import { bulkhead } from 'cockatiel'
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
  return {
    principals: createPrincipals(ports, (accessToken) => lookUpPrincipal(ports, accessToken)),
    credentialGate: createCredentialGate(ports, limiterOf),
    tokenRenewals: createTokenRenewals(ports),
    logInBulkhead: bulkhead(atOnce, maxWaiting),
  }
}
