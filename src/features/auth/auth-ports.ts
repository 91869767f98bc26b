import type { BulkheadPolicy } from 'cockatiel'
import type { Actor } from '../../access/actor.ts'
import type { Principal } from '../../access/principal.ts'
import type { Ports } from '../../ports/ports.ts'
import type { RefusedTokens } from '../sessions/sign-ins/refused-tokens.ts'
import type { SignIns } from '../sessions/sign-ins/sign-ins.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import type { CredentialGate } from './credential-gate.ts'
import type { Principals } from './principals.ts'
import type { TokenRenewals } from './token-renewals.ts'
import type { ServedWorkspaces } from './workspace.ts'

/** The objects of sign-in that hold state. */
export type AuthState = {
  readonly refusedTokens: RefusedTokens
  readonly signIns: SignIns
  readonly principals: Principals
  readonly credentialGate: CredentialGate
  readonly tokenRenewals: TokenRenewals
  /** Bounds how many sign-ins this process works on at a time; more wait. */
  readonly logInBulkhead: BulkheadPolicy
}

/** What the use cases of sign-in work with. */
export type AuthPorts = AuthState &
  SessionPorts &
  Pick<Ports, 'identity' | 'withFallback' | 'lastKnownConfiguration' | 'installedRoles'> & {
    readonly servedWorkspaces: ServedWorkspaces
    /** How long the platform's last word about a member counts while it is away. */
    readonly platformAwayMs: number
    /** Whether the setup wizard still has to be done; asked for managers only. */
    readonly wizardRequired: (actor: Actor) => Promise<boolean>
    /** Receives every password that the platform accepted. Errors are logged. */
    readonly onPasswordProved: (owner: Pick<Principal, 'workspaceId' | 'email'>, password: string) => Promise<void>
  }
