import type { Auth } from '../features/auth/auth.ts'
import { type Calls, createCallStores, createCalls } from '../features/calls/calls.ts'
import { createLeadOfCall } from '../features/calls/lead-of-call.ts'
import type { CallAgentOf } from '../features/calls/call-agent.ts'
import { listDoctorsForModels } from '../features/doctors/list-doctors-for-models.ts'
import { createWriteInsight } from '../features/insights/write-insight.ts'
import { createKeptAnalyses } from '../features/recordings/stored-analyses.ts'
import { createRecordingInWords } from '../features/recordings/recording-summary.ts'
import { outboundProviders } from '../providers/outbound/registry.ts'
import { telephonyProviders } from '../providers/telephony/registry.ts'
import type { Sessions } from '../features/sessions/sessions.ts'
import type { Settings } from '../settings/settings.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { WiredPorts } from './ports.ts'

export type CallPartners = { readonly ports: WiredPorts; readonly sessions: Sessions; readonly auth: Auth }

/** What happens on a call, and what follows from it. */
export function createCallCenter(settings: Settings, infrastructure: Infrastructure, { ports, sessions, auth }: CallPartners): Calls {
  const agentOf: CallAgentOf = async ({ principal, accessToken }) => {
    const { agent } = await sessions.agents.ofMember(principal, accessToken)
    if (!agent) return null
    const [providerAgentId, campaignName] = await Promise.all([agent.providerAgentId(), agent.campaignName()])
    return { id: agent.record.id, providerAgentId, phoneNumber: agent.record.sipExtension, campaignName }
  }
  return createCalls({
    ...infrastructure,
    ...ports,
    agentOf,
    hasSession: async ({ principal }) => (await sessions.current(principal)) !== null,
    watchCaller: auth.watchCaller,
    webhookProviders: [...telephonyProviders, ...outboundProviders].map(({ id }) => id),
    publicUrl: settings.http.publicUrl,
  })
}

/** What our own consumers do with events; also of a process that consumes alone. */
export function consumeEvents(infrastructure: Infrastructure, ports: WiredPorts): void {
  const { bus, store, clock } = infrastructure
  const now = (): number => clock.now()
  const leadOfCall = createLeadOfCall({ ...createCallStores(infrastructure), ...ports.records, now })
  const recordingOf = createRecordingInWords(createKeptAnalyses(store))
  const knownDoctors = (workspaceId: string) => listDoctorsForModels(ports, workspaceId)
  const { languageModelOf } = ports
  const handle = createWriteInsight({ ...ports.records, languageModelOf, recordingOf, knownDoctors, store, clock, leadOfCall })
  bus.subscribe({ name: 'insights', topic: 'call.completed', handle })
}
