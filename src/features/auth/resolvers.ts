import type { Resolvers, SignedInUser, SignedInWorkspace, Viewer } from '../../generated.ts'
import type { Principal } from '../../access/principal.ts'
import { requireRole } from '../../access/require-role.ts'
import type { AuthPorts } from './auth-ports.ts'
import { exchangeLoginToken } from './exchange-login-token.ts'
import { type LogInResult, logIn } from './log-in.ts'
import { refreshTokens } from './refresh-tokens.ts'
import { readOwnAgent, readOwnSession } from './read-own-session.ts'
import { startAgentSession } from './start-agent-session.ts'

export function authResolvers(ports: AuthPorts): Resolvers {
  return {
    Query: {
      me: async (_root, _args, context) => viewerOf(await context.principal()),
    },
    Viewer: {
      agent: async (_viewer, _args, context) => readOwnAgent(ports, await context.actor()),
      session: async (_viewer, _args, context) => readOwnSession(ports, await context.actor()),
    },
    Mutation: {
      agentLogin: async (_root, { input }, context) => signInOf(await logIn(ports, context, input)),
      exchangeLoginToken: async (_root, { input }, context) => ({ tokens: await exchangeLoginToken(ports, context, input) }),
      startAgentSession: async (_root, wanted, context) => startAgentSession(ports, context, wanted),
      refreshTokens: async (_root, { refreshToken }, context) => ({ tokens: await refreshTokens(ports, context, refreshToken) }),
    },
  }
}

/** The resolvers of `Viewer` replace the last three values, if the query selects them. */
function viewerOf(principal: Principal): Viewer {
  const role = requireRole(principal, 'USER')
  const { memberId } = principal
  const [user, workspace] = [userOf(principal), workspaceOf(principal)]
  return { id: memberId, role, user, memberId, workspace, session: null, agent: null, hasTemporaryPassword: false }
}

function signInOf({ tokens, principal, started, wizardRequired }: LogInResult) {
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
