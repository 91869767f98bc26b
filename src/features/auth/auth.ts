import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { WithFallback } from '../../kernel/with-fallback.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { Store } from '../../ports/store.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { RoleNames } from '../../access/application-role.ts'
import { type CredentialGateOptions, createCredentialGate } from './credential-gate.ts'
import { createExchangeLoginToken } from './exchange-login-token.ts'
import { type LogInOptions, createLogIn } from './log-in.ts'
import { createLookUpPrincipal } from './look-up-principal.ts'
import { createMemberGone } from './sign-out-gone-member.ts'
import type { Identity } from '../../ports/identity.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { createPrincipals } from './principals.ts'
import { createRoleNames } from './role-names.ts'
import { createSharedRenewals } from './token-renewals.ts'
import { createWatchCaller } from './watch-actor.ts'
import { createWhoAmI } from './who-am-i.ts'
import type { ServedWorkspaces } from './workspace.ts'

export type AuthOptions = {
  readonly identity: Identity
  readonly sessions: Sessions
  readonly served: ServedWorkspaces
  readonly configuration: Configuration
  /** The names of the two roles in the settings, for when the configuration cannot be read. */
  readonly roleNames: RoleNames
  readonly limiterOf: CredentialGateOptions['limiterOf']
  readonly store: Store
  /** For what can do without the store for a while; one for all, so that a store that hangs is waited for once. */
  readonly withFallback: WithFallback
  readonly notifications: Notifications
  readonly clock: Clock
  readonly log: Log
} & Pick<LogInOptions, 'wizardRequired' | 'onSignedIn'>

/** Who is asking: the use cases of sign-in, put together. */
export type Auth = ReturnType<typeof createAuth>

export function createAuth(options: AuthOptions) {
  const { identity, sessions, served, store, withFallback, notifications, clock, log, limiterOf } = options
  const { wizardRequired, onSignedIn } = options
  const gate = createCredentialGate({ limiterOf, store, withFallback, log, ...(onSignedIn && { onProved: onSignedIn }) })
  const lookUp = createLookUpPrincipal({
    identity,
    served,
    roleNamesOf: createRoleNames(options.configuration, options.roleNames),
    async agentOf(member, accessToken) {
      const { agent, readAt } = await sessions.agents.ofMember(member, accessToken)
      return { agentId: agent?.record.id ?? null, readAt }
    },
  })
  const principals = createPrincipals({ lookUp, notifications, clock })
  return {
    principals,
    watchCaller: createWatchCaller(principals, clock),
    /** Also for the platform's own credential operations, sent through `/graphql` and `/metadata`. */
    gate,
    memberGone: createMemberGone({ principals, endMemberSession: sessions.endMemberSession, log }),
    logIn: createLogIn({
      identity,
      gate,
      served,
      lookUp,
      principals,
      agents: sessions.agents,
      startSession: sessions.startSession,
      wizardRequired,
      ...(onSignedIn && { onSignedIn }),
    }),
    exchangeLoginToken: createExchangeLoginToken({ identity, gate, served }),
    refreshTokens: createRefreshTokens({ gate, renew: createSharedRenewals({ identity, store, clock }), clock }),
    whoAmI: createWhoAmI({ agents: sessions.agents, current: sessions.current }),
  }
}
