import type { AgentSession, Mutation, Query } from '../graphql/generated.ts'
import type { Selected, Selection } from '../graphql/selection.ts'
import type { SavedAgentSession } from './saved-session.ts'

export const tokenFields = {
  accessToken: { token: true, expiresAt: true },
  refreshToken: { token: true, expiresAt: true },
} as const
export const sessionFields = {
  agentId: true,
  memberId: true,
  ip: true,
  lockedAt: true,
  expiresAt: true,
  heartbeatIntervalSeconds: true,
} as const satisfies Selection<AgentSession>
const memberFields = {
  role: true,
  user: { id: true, email: true, firstName: true, lastName: true },
  memberId: true,
  workspace: { id: true, subdomain: true },
  session: sessionFields,
  agent: { id: true, name: true, providerAgentId: true, campaignName: true },
} as const
const deviceFields = {
  agent: memberFields.agent,
  session: sessionFields,
  sip: { uri: true, username: true, password: true, domain: true, wsPort: true, wsUrl: true },
  telephony: { signedIn: true, reason: true },
} as const

export const signInFields = { ...memberFields, ...deviceFields, tokens: tokenFields, setup: { wizardRequired: true } } as const
export const startFields = deviceFields
export const viewerFields = memberFields

/** What a sign-in gives: the member, the agent session, the credentials of the browser phone. */
export type SignedIn = Selected<Mutation['agentLogin'], typeof signInFields>
export type StartedSession = Selected<Mutation['startAgentSession'], typeof startFields>
/** The signed-in member. */
export type Member = Selected<Query['me'], typeof viewerFields>
/** The agent session of this device. */
export type OwnAgentSession = Selected<AgentSession, typeof sessionFields>

/** By the clock of this device, which may be wrong: only durations are taken from the service. */
export function savedSessionOf(session: OwnAgentSession, now: number, lifetimeMs?: number): SavedAgentSession {
  const { lockedAt, expiresAt, heartbeatIntervalSeconds } = session
  const livesMs = lifetimeMs ?? Date.parse(expiresAt) - Date.parse(lockedAt)
  return { lockedAt, heartbeatIntervalSeconds, lifetimeMs: livesMs, endsAt: now + livesMs }
}
