import { createCredentialGate, type CredentialGate } from '../auth/credential-gate.ts'
import { createExchangeLoginToken } from '../auth/exchange-login-token.ts'
import { createLogIn } from '../auth/log-in.ts'
import { createLookUpPrincipal } from '../auth/look-up-principal.ts'
import { createRefreshTokens } from '../auth/refresh-tokens.ts'
import { createPrincipals, type Principals } from '../auth/resolve-principal.ts'
import { createAuthResolvers } from '../auth/resolvers.ts'
import { createRoleNames } from '../auth/role-names.ts'
import { createSharedRenewals } from '../auth/shared-renewals.ts'
import { createWhoAmI } from '../auth/who-am-i.ts'
import type { CallAgentOf } from '../calls/ports.ts'
import { createDispositionIntents } from '../calls/disposition-intents.ts'
import { createFinishDisposition, createSweepDispositions } from '../calls/finish-disposition.ts'
import { createLookupCall } from '../calls/lookup.ts'
import { createCallResolvers } from '../calls/resolvers.ts'
import { createSubmitDisposition } from '../calls/submit-disposition.ts'
import { createWriteInsight } from '../insights/write-insight.ts'
import { createLimiters } from '../providers/store/rate-limiter.ts'
import type { Resolvers } from '../server/graphql/generated.ts'
import { createAgentAtProvider } from '../sessions/agent-at-provider.ts'
import { createAgentConfigurations } from '../sessions/agent-configuration.ts'
import { createAgentSecrets } from '../sessions/agent-secrets.ts'
import { createAnnounce } from '../sessions/announce.ts'
import { createCurrentSession } from '../sessions/current-session.ts'
import { createLogOut } from '../sessions/end-session.ts'
import { createHeartbeat } from '../sessions/heartbeat.ts'
import { createProviderTurns } from '../sessions/provider-turns.ts'
import { createSessionResolvers } from '../sessions/resolvers.ts'
import { createEndSession } from '../sessions/session-end.ts'
import { createSessionLocks } from '../sessions/session-lock.ts'
import { createSessionRegister } from '../sessions/session-register.ts'
import { createStartSession } from '../sessions/start-session.ts'
import type { Settings } from '../settings.ts'
import { createSetupResolvers } from '../setup/resolvers.ts'
import { createSetupStore } from '../setup/setup-store.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Ports } from './ports.ts'

/** Use cases behind their resolvers, and what runs without being asked. */
export type Features = {
  readonly resolvers: readonly Resolvers[]
  readonly principals: Principals
  readonly credentialGate: CredentialGate
  readonly sweeps: readonly Sweep[]
}

/** Work that is due again and again; it must stand being run on several instances at once. */
export type Sweep = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<unknown> }

export function createFeatures(settings: Settings, infrastructure: Infrastructure, ports: Ports): Features {
  const { store, clock, log } = infrastructure
  const sessions = createSessions(infrastructure, ports)
  const served = { workspaces: settings.workspaces, template: settings.platform.workspaceUrl }
  const credentialGate = createCredentialGate({ limiterOf: createLimiters({ store, clock }), store, log })
  const roleNamesOf = createRoleNames(ports.configuration, settings.platform.roles)
  const lookUp = createLookUpPrincipal({ identity: ports.identity, served, roleNamesOf, agentOf: sessions.agentIdOf })
  const principals = createPrincipals({ lookUp, notices: infrastructure.notices, clock })
  const setupStore = createSetupStore(store)
  const signIn = { identity: ports.identity, gate: credentialGate, served }
  const auth = createAuthResolvers({
    logIn: createLogIn({
      ...signIn,
      lookUp,
      principals,
      agents: sessions.agents,
      startSession: sessions.startSession,
      wizardRequired: async (workspaceId) => (await setupStore.read(workspaceId)).wizardRequired,
    }),
    exchangeLoginToken: createExchangeLoginToken(signIn),
    refreshTokens: createRefreshTokens({
      gate: credentialGate,
      renew: createSharedRenewals({ identity: ports.identity, store, clock }),
      clock,
    }),
    whoAmI: createWhoAmI({ agents: sessions.agents, current: sessions.current }),
  })
  const calls = createCalls(infrastructure, ports, sessions)
  consumeEvents(infrastructure, ports)
  return {
    resolvers: [auth, createSessionResolvers(sessions), calls.resolvers, createSetupResolvers({ setupStore })],
    principals,
    credentialGate,
    sweeps: calls.sweeps,
  }
}

type Sessions = ReturnType<typeof createSessions>

function createSessions(
  { store, notices, bus, clock, log, boxFor }: Infrastructure,
  { agents: records, configuration, telephonyOf }: Ports,
) {
  const box = boxFor('sessions')
  const locks = createSessionLocks(store)
  const register = createSessionRegister(store, box)
  const turns = createProviderTurns(store)
  const provider = createAgentAtProvider({ telephonyOf, log })
  const secrets = createAgentSecrets(store, box)
  const announce = createAnnounce({ bus, notices, clock, log })
  const agents = createAgentConfigurations({ agents: records, configuration, store, box, notices, clock })
  const current = createCurrentSession({ locks, register })
  const endSession = createEndSession({ locks, register, turns, provider, clock, log })
  const forgetConfiguration = agents.forget
  return {
    agents,
    current,
    agentIdOf: async (member: Parameters<typeof agents.ofMember>[0], accessToken: string) => {
      const { agent, readAt } = await agents.ofMember(member, accessToken)
      return { agentId: agent?.record.id ?? null, readAt }
    },
    startSession: createStartSession({ locks, register, turns, provider, secrets, configuration, endSession, announce, clock }),
    heartbeat: createHeartbeat({ current, locks, register, clock }),
    logOut: createLogOut({ current, endSession, forgetConfiguration, announce }),
  }
}

function createCalls({ store, bus, clock }: Infrastructure, { records, configuration, telephonyOf }: Ports, { agents }: Sessions) {
  const { leads, calls } = records
  const intents = createDispositionIntents(store, clock)
  const finish = createFinishDisposition({ intents, telephonyOf, bus })
  const agentOf: CallAgentOf = async ({ principal, accessToken }) => {
    const { agent } = await agents.ofMember(principal, accessToken)
    if (!agent) return null
    const [providerAgentId, campaignName] = await Promise.all([agent.providerAgentId(), agent.campaignName()])
    return { id: agent.record.id, providerAgentId, phoneNumber: agent.record.sipExtension, campaignName }
  }
  const sweep = createSweepDispositions(intents, finish, () => clock.now())
  return {
    resolvers: createCallResolvers({
      lookupCall: createLookupCall({ leads, calls, configuration }),
      submitDisposition: createSubmitDisposition({ intents, finish, agentOf, calls, leads, configuration, clock }),
    }),
    sweeps: [{ name: 'dispositions', everyMs: 15_000, run: sweep }],
  }
}

function consumeEvents({ store, bus, clock }: Infrastructure, { records: { activity, insights, calls }, languageModelOf }: Ports): void {
  const handle = createWriteInsight({ activity, insights, calls, languageModelOf, store, clock })
  bus.subscribe({ name: 'insights', topic: 'call.completed', handle })
}
