import { type BulkheadPolicy, bulkhead } from 'cockatiel'
import type { RoleNames } from '../../access/application-role.ts'
import type { Principal } from '../../access/principal.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import { type CredentialGate, createCredentialGate, type LimiterOf } from './credential-gate.ts'
import { lookUpPrincipal } from './look-up-principal.ts'
import { createPrincipals, type Principals } from './principals.ts'
import { createTokenRenewals, type TokenRenewals } from './token-renewals.ts'
import type { ServedWorkspaces } from './workspace.ts'

/** What sign-in needs to know from the settings and from the features that know sign-in. */
export type AuthSettings = {
  readonly servedWorkspaces: ServedWorkspaces
  /** The names of the two platform roles, for when the configuration cannot be read. */
  readonly defaultRoleNames: RoleNames
  /** Whether the setup wizard still has to be done; asked for managers only. */
  readonly wizardRequired: (workspaceId: string) => Promise<boolean>
  /** Receives every password that the platform accepted. Errors are logged. */
  readonly onPasswordProved: (owner: Pick<Principal, 'workspaceId' | 'email'>, password: string) => Promise<void>
}

/** The objects of sign-in that hold state. */
export type AuthState = {
  readonly principals: Principals
  readonly credentialGate: CredentialGate
  readonly tokenRenewals: TokenRenewals
  /** How many sign-ins this process works on at a time; more wait. */
  readonly logInBulkhead: BulkheadPolicy
}

/** What the use cases of sign-in work with. */
export type AuthPorts = SessionPorts & Pick<Ports, 'identity' | 'withFallback' | 'lastKnownConfiguration'> & AuthSettings & AuthState

/** A thousand people who begin their shift together wait for one another, and none is refused. */
const atOnce = 100
const maxWaiting = 20_000

/** `limiterOf`: makes a rate limiter that all instances share. */
export function createAuthState(ports: Omit<AuthPorts, keyof AuthState>, limiterOf: LimiterOf): AuthState {
  return {
    principals: createPrincipals(ports, (accessToken) => lookUpPrincipal(ports, accessToken)),
    credentialGate: createCredentialGate(ports, limiterOf),
    tokenRenewals: createTokenRenewals(ports),
    logInBulkhead: bulkhead(atOnce, maxWaiting),
  }
}
