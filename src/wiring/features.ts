import { createAuth } from '../features/auth/auth.ts'
import type { CredentialGate } from '../features/auth/credential-gate.ts'
import type { Principals } from '../features/auth/principals.ts'
import { createAuthResolvers } from '../features/auth/resolvers.ts'
import { type Calls, createCallStores } from '../features/calls/calls.ts'
import { createCallResolvers } from '../features/calls/resolvers.ts'
import { createLimiters } from '../providers/store/rate-limiter.ts'
import type { Resolvers } from '../generated.ts'
import { doctorResolvers } from '../features/doctors/resolvers.ts'
import { createSecretDestinations } from '../features/configuration/secret-destinations.ts'
import { createReadInsights } from '../features/insights/read-insights.ts'
import { createSessionResolvers } from '../features/sessions/resolvers.ts'
import { createSessions } from '../features/sessions/sessions.ts'
import type { Settings } from '../settings/settings.ts'
import { createSetupStore } from '../features/setup/setup-store.ts'
import { createSupervisionResolvers } from '../features/supervision/resolvers.ts'
import { createSupervision } from '../features/supervision/supervision.ts'
import { createNotePassword } from '../features/team/team.ts'
import { createAdministration } from './administration.ts'
import { consumeEvents, createCallCenter } from './calls.ts'
import { eventResolvers } from './events.ts'
import type { Infrastructure } from './infrastructure.ts'
import { createRecordings, type Recordings } from './recordings.ts'
import { useCasePorts, type WiredPorts } from './ports.ts'
import { createPasswords, createTeamFeature } from './team.ts'
import { createWidget, type Widget } from './widget.ts'

/** Use cases behind their resolvers, and what runs without being asked. */
export type Features = {
  readonly resolvers: readonly Resolvers[]
  readonly principals: Principals
  readonly credentialGate: CredentialGate
  readonly calls: Calls
  readonly scheduledJobs: readonly ScheduledJob[]
  readonly recordings: Recordings
  readonly widget: Widget
  readonly supervision: Disposable
}

/** Work that is due again and again; it must stand being run on several instances at once. */
export type ScheduledJob = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<unknown> }

export function createFeatures(settings: Settings, infrastructure: Infrastructure, ports: WiredPorts): Features {
  const { store, audit, boxFor } = infrastructure
  const setupStore = createSetupStore(store)
  const sessions = createSessions({
    ...infrastructure,
    ...ports,
    box: boxFor('sessions'),
    destinationsOf: createSecretDestinations(ports.configuration, ports.schemas),
  })
  const passwords = createPasswords(settings, infrastructure)
  const auth = createAuth({
    ...infrastructure,
    ...ports,
    sessions,
    configuration: ports.lastKnownConfiguration,
    served: { workspaces: settings.workspaces, template: settings.platform.workspaceUrl },
    roleNames: settings.platform.roles,
    limiterOf: createLimiters(infrastructure),
    onSignedIn: createNotePassword(passwords),
    wizardRequired: async (workspaceId) => (await setupStore.read(workspaceId)).wizardRequired,
  })
  ports.onMemberGone((accessToken) => void auth.memberGone(accessToken))
  const calls = createCallCenter(settings, infrastructure, { ports, sessions, auth })
  consumeEvents(infrastructure, ports)
  const team = createTeamFeature(settings, infrastructure, { ports, sessions, principals: auth.principals, passwords })
  const recordings = createRecordings(settings, infrastructure, { ports, auth })
  const readInsights = createReadInsights({ store, insights: ports.records.insights })
  const widget = createWidget(infrastructure, ports)
  const supervision = createSupervision({
    ...infrastructure,
    ...ports,
    ...ports.records,
    books: createCallStores(infrastructure),
    liveSessions: sessions.live,
    watchCaller: auth.watchCaller,
  })
  return {
    resolvers: [
      createAuthResolvers(auth),
      createSessionResolvers({ sessions, audit }),
      createSupervisionResolvers(supervision),
      createCallResolvers(calls),
      recordings.resolvers,
      doctorResolvers(useCasePorts(infrastructure, ports)),
      team.resolvers,
      widget.resolvers,
      ...eventResolvers(settings, { ...infrastructure, readInsights }),
      ...createAdministration(settings, infrastructure, { ports, setupStore }),
    ],
    principals: team.principals,
    credentialGate: auth.gate,
    calls,
    recordings,
    widget,
    supervision,
    scheduledJobs: [
      ...calls.scheduledJobs,
      { name: 'sessions', everyMs: 15_000, run: sessions.sweep },
      { name: "today's calls", everyMs: 15_000, run: supervision.sweep },
      { name: 'invite links', everyMs: 60_000, run: team.report },
    ],
  }
}
