import { originOf } from '../features/auth/workspace.ts'
import type { Identity } from '../ports/identity.ts'
import type { WebhookTarget } from '../features/calls/webhook-keys.ts'
import type { OutboundTelephony } from '../ports/outbound-telephony.ts'
import type { TelephonyWebhooks } from '../ports/telephony-webhooks.ts'
import type { Telephony } from '../ports/telephony.ts'
import type { Configuration } from '../ports/configuration/configuration.ts'
import { type LiveConfiguration, createConfiguration } from '../features/configuration/create-configuration.ts'
import { withLastKnown } from '../features/configuration/last-known.ts'
import { type SectionSchemas, createSectionSchemas } from '../features/configuration/section-schemas.ts'
import { createDoctorDirectory } from '../features/doctors/doctor-directory.ts'
import type { DoctorDirectory } from '../ports/doctors.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import { type GuardedPorts, guardPorts } from '../providers/guarded-ports.ts'
import { createLanguageModel } from '../providers/models/language-model.ts'
import { modelVendors } from '../providers/models/vendors.ts'
import { createOutboundWebhooks, createOutboundTelephony, outboundProviders } from '../providers/outbound/registry.ts'
import { type AddressGuard, createAddressGuard } from '../kernel/address-guard.ts'
import { httpRequest } from '../kernel/http-client.ts'
import { createPlatformAgents } from '../providers/platform/agents.ts'
import { createDataModel } from '../providers/platform/data-model.ts'
import { createPlatformEndpoint } from '../providers/platform/endpoint.ts'
import { createPlatformIdentity } from '../providers/platform/identity.ts'
import { createPlatformMembers } from '../providers/platform/members.ts'
import { type RecordPorts, createRecordPorts } from '../providers/platform/record-ports.ts'
import { createTeamAgents } from '../providers/platform/team-agents.ts'
import { createWorkspaceFacts } from '../providers/platform/workspace-facts.ts'
import { createPlatformWorkspaces } from '../providers/platform/workspaces.ts'
import { createPortGuard } from '../providers/port-guard.ts'
import { registerPortMetrics } from '../providers/port-metrics.ts'
import { createTelephony, createTelephonyWebhooks, telephonyProviders } from '../providers/telephony/registry.ts'
import type { AgentRecords } from '../ports/agents.ts'
import type { Settings } from '../settings/settings.ts'
import type { DataModel } from '../ports/data-model.ts'
import type { MemberDirectory, TeamAgents } from '../ports/members.ts'
import type { Ports } from '../ports/ports.ts'
import type { WorkspaceFacts } from '../ports/workspace-facts.ts'
import type { Workspaces } from '../ports/workspaces.ts'
import type { Infrastructure } from './infrastructure.ts'
import { trustedAddresses } from './trusted-addresses.ts'

/** The features' ports with what stands behind them. What depends on a workspace is asked for at the time of the call. */
export type WiredPorts = LiveConfiguration & {
  readonly identity: Identity
  /** For what must go on while the store is away. */
  readonly lastKnownConfiguration: Configuration
  readonly agents: AgentRecords
  readonly records: RecordPorts
  /** Doctors and visit slots as visitors, managers and models read them. */
  readonly doctorDirectory: DoctorDirectory
  readonly members: MemberDirectory
  readonly teamAgents: TeamAgents
  readonly workspaces: Workspaces
  readonly dataModel: DataModel
  readonly workspaceFacts: WorkspaceFacts
  readonly schemas: SectionSchemas
  readonly addressGuard: AddressGuard
  /** Told of an access token whose member is gone from the workspace. */
  readonly onMemberGone: (listener: (accessToken: string) => void) => void
  readonly telephonyOf: (workspaceId: string) => Promise<Telephony>
  /** Null where the workspace has no second provider. */
  readonly outboundOf: (workspaceId: string) => Promise<OutboundTelephony | null>
  readonly webhooksOf: (target: WebhookTarget) => Promise<TelephonyWebhooks>
  readonly languageModelOf: (workspaceId: string) => Promise<LanguageModel>
  /** Breakers, retries and metrics, for what belongs to no workspace. */
  readonly guarded: GuardedPorts
  /** Whether the platform answers. */
  readonly checkPlatform: (signal: AbortSignal) => Promise<void>
}

export function createPorts(
  settings: Settings,
  { store, notifications, documents, withFallback, clock, log, metrics, boxFor }: Infrastructure,
): WiredPorts {
  const endpoint = createPlatformEndpoint(settings.platform)
  const addressOf = (workspace: string): string => originOf(workspace, settings.platform.workspaceUrl)
  const workspaces = createPlatformWorkspaces({ endpoint, originOf: addressOf })
  const { defaultCountry } = settings
  const schemas = createSectionSchemas({ defaultCountry, telephony: telephonyProviders, outbound: outboundProviders, models: modelVendors })
  const live = createConfiguration({
    documents,
    notifications,
    clock,
    workspaces,
    log,
    box: boxFor('configuration'),
    schemas,
    workspaceSeeds: settings.seeds,
  })
  const { configuration } = live
  const records = createRecordPorts({ endpoint, configuration, store, clock, log })
  const addressGuard = createAddressGuard({ trusted: trustedAddresses(settings) })
  const { dispatcher } = addressGuard
  const lastKnownConfiguration = withLastKnown(configuration, withFallback)
  const guarded = guardPorts(createPortGuard({ observe: registerPortMetrics(metrics) }))
  return {
    ...live,
    schemas,
    workspaces,
    dataModel: createDataModel(endpoint),
    workspaceFacts: createWorkspaceFacts(endpoint),
    addressGuard,
    identity: createPlatformIdentity({ endpoint, originOf: addressOf }),
    lastKnownConfiguration,
    agents: createPlatformAgents({ endpoint, configuration: lastKnownConfiguration, log }),
    onMemberGone: (listener) => endpoint.onMemberGone(listener),
    records,
    doctorDirectory: createDoctorDirectory({ doctorRecords: records.doctors, store, notifications, clock }),
    members: createPlatformMembers(endpoint),
    teamAgents: createTeamAgents(records.records),
    async telephonyOf(workspaceId) {
      const { provider, defaultCountry: country } = await configuration.read(workspaceId, 'telephony')
      const deps = { store, clock, log, defaultCountry: country, dispatcher }
      return guarded.telephony(createTelephony(provider, deps), provider)
    },
    async outboundOf(workspaceId) {
      const { outbound } = await configuration.read(workspaceId, 'telephony')
      return outbound && guarded.outbound(createOutboundTelephony(outbound, { dispatcher }), outbound)
    },
    async webhooksOf({ workspaceId, provider: id }) {
      const { provider, outbound, defaultCountry: country } = await configuration.read(workspaceId, 'telephony')
      if (outbound?.id === id) return createOutboundWebhooks(outbound, { defaultCountry: country })
      return createTelephonyWebhooks(provider?.id === id ? provider : null, { defaultCountry: country })
    },
    guarded,
    async languageModelOf(workspaceId) {
      const choice = await configuration.read(workspaceId, 'ai')
      return guarded.languageModel(createLanguageModel(choice, settings.models), choice)
    },
    checkPlatform: async (signal) => checkAddress(`${settings.platform.url}/healthz`, signal),
  }
}

async function checkAddress(address: string, signal: AbortSignal): Promise<void> {
  const { status } = await httpRequest({ who: 'The platform', url: address, method: 'GET', signal })
  if (status >= 400) throw new Error(`status ${status}`)
}

/** The ports as use cases take them. */
export function useCasePorts(infrastructure: Infrastructure, ports: WiredPorts): Ports {
  const { agents, records, outboundOf, webhooksOf, ...rest } = ports
  return {
    ...rest,
    ...infrastructure,
    agentRecords: agents,
    agentDirectory: records.agentDirectory,
    leadRecords: records.leads,
    newLeads: records.newLeads,
    leadNotes: records.leadNotes,
    leadAgenda: records.agenda,
    leadActivity: records.activity,
    callRecords: records.calls,
    insightRecords: records.insights,
    doctorRecords: records.doctors,
    outboundTelephonyOf: outboundOf,
    telephonyWebhooksOf: webhooksOf,
  }
}
