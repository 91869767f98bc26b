import type { AgentSignIn, Resolvers, SignedInUser, SignedInWorkspace, Viewer } from '../../generated.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ExchangeLoginToken } from './exchange-login-token.ts'
import type { LogIn, SignIn } from './log-in.ts'
import type { Principal } from '../../access/principal.ts'
import type { RefreshTokens } from './refresh-tokens.ts'
import type { WhoAmI } from './who-am-i.ts'

export type AuthUseCases = {
  readonly logIn: LogIn
  readonly exchangeLoginToken: ExchangeLoginToken
  readonly refreshTokens: RefreshTokens
  readonly whoAmI: WhoAmI
}

export function createAuthResolvers({ logIn, exchangeLoginToken, refreshTokens, whoAmI }: AuthUseCases): Resolvers {
  return {
    Query: {
      me: async (_root, _args, context) => viewerOf(await context.principal()),
    },
    Viewer: {
      agent: async (_viewer, _args, context) => whoAmI.agent(await context.actor()),
      session: async (_viewer, _args, context) => whoAmI.session(await context.principal()),
    },
    Mutation: {
      agentLogin: async (_root, { input }, context) => signInOf(await logIn(input, context)),
      exchangeLoginToken: async (_root, { input }, context) => ({ tokens: await exchangeLoginToken(input, context) }),
      refreshTokens: async (_root, { refreshToken }, context) => ({ tokens: await refreshTokens(refreshToken, context) }),
    },
  }
}

/** Agent and session are looked up only where they are asked for. */
function viewerOf(principal: Principal): Viewer {
  const { role, memberId } = principal
  if (role === null) throw new AppError('ROLE_MISSING')
  return { role, user: userOf(principal), memberId, workspace: workspaceOf(principal), session: null, agent: null }
}

function signInOf({ tokens, principal, started, wizardRequired }: SignIn): AgentSignIn {
  return {
    tokens,
    role: principal.role,
    user: userOf(principal),
    memberId: principal.memberId,
    workspace: workspaceOf(principal),
    session: started?.session ?? null,
    agent: started?.agent ?? null,
    sip: started?.sip ?? null,
    telephony: started?.telephony ?? null,
    setup: { wizardRequired },
  }
}

function userOf({ userId, email, firstName, lastName }: Principal): SignedInUser {
  return { id: userId, email, firstName, lastName }
}

function workspaceOf({ workspaceId, workspace }: Principal): SignedInWorkspace {
  return { id: workspaceId, subdomain: workspace }
}
