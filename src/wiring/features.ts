import { createAuth } from '../auth/auth.ts'
import type { CredentialGate } from '../auth/credential-gate.ts'
import type { Principals } from '../auth/resolve-principal.ts'
import { createAuthResolvers } from '../auth/resolvers.ts'
import type { CallAgentOf } from '../calls/ports.ts'
import { createDispositionIntents } from '../calls/disposition-intents.ts'
import { createFinishDisposition, createSweepDispositions } from '../calls/finish-disposition.ts'
import { createLookupCall } from '../calls/lookup.ts'
import { createCallResolvers } from '../calls/resolvers.ts'
import { createSubmitDisposition } from '../calls/submit-disposition.ts'
import { createWriteInsight } from '../insights/write-insight.ts'
import { createLimiters } from '../providers/store/rate-limiter.ts'
import type { Resolvers } from '../server/graphql/generated.ts'
import { createSessionResolvers } from '../sessions/resolvers.ts'
import { createSessions, type Sessions } from '../sessions/sessions.ts'
import type { Settings } from '../settings.ts'
import { createSetupStore } from '../setup/setup-store.ts'
import { createAdministration } from './administration.ts'
import type { Infrastructure } from './infrastructure.ts'
import { createRecordings, type Recordings } from './recordings.ts'
import type { Ports } from './ports.ts'

/** Use cases behind their resolvers, and what runs without being asked. */
export type Features = {
  readonly resolvers: readonly Resolvers[]
  readonly principals: Principals
  readonly credentialGate: CredentialGate
  readonly sweeps: readonly Sweep[]
  readonly recordings: Recordings
}

/** Work that is due again and again; it must stand being run on several instances at once. */
export type Sweep = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<unknown> }

export function createFeatures(settings: Settings, infrastructure: Infrastructure, ports: Ports): Features {
  const { store, audit, boxFor } = infrastructure
  const setupStore = createSetupStore(store)
  const sessions = createSessions({ ...infrastructure, ...ports, box: boxFor('sessions') })
  const auth = createAuth({
    ...infrastructure,
    ...ports,
    sessions,
    configuration: ports.lastKnownConfiguration,
    served: { workspaces: settings.workspaces, template: settings.platform.workspaceUrl },
    roleNames: settings.platform.roles,
    limiterOf: createLimiters(infrastructure),
    wizardRequired: async (workspaceId) => (await setupStore.read(workspaceId)).wizardRequired,
  })
  ports.onMemberGone((accessToken) => void auth.memberGone(accessToken))
  const calls = createCalls(infrastructure, ports, sessions)
  consumeEvents(infrastructure, ports)
  const recordings = createRecordings(settings, infrastructure, ports)
  return {
    resolvers: [
      createAuthResolvers(auth),
      createSessionResolvers({ sessions, audit }),
      calls.resolvers,
      recordings.resolvers,
      ...createAdministration(settings, infrastructure, { ports, setupStore }),
    ],
    principals: auth.principals,
    credentialGate: auth.gate,
    recordings,
    sweeps: [...calls.sweeps, { name: 'sessions', everyMs: 15_000, run: sessions.sweep }],
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

/** What our own consumers do with events. */
export function consumeEvents(
  { store, bus, clock }: Infrastructure,
  { records: { activity, insights, calls }, languageModelOf }: Ports,
): void {
  const handle = createWriteInsight({ activity, insights, calls, languageModelOf, store, clock })
  bus.subscribe({ name: 'insights', topic: 'call.completed', handle })
}
