import { originOf } from '../features/auth/workspace.ts'
import { createConfiguration } from '../features/configuration/create-configuration.ts'
import { withLastKnown } from '../features/configuration/last-known.ts'
import { createSectionSchemas } from '../features/configuration/section-schemas.ts'
import { createDoctorDirectory } from '../features/doctors/doctor-directory.ts'
import { createAddressGuard } from '../kernel/address-guard.ts'
import { httpRequest } from '../kernel/http-client.ts'
import type { AlertAddress } from '../ports/alert-receiver.ts'
import { countUpstreamCall } from '../ports/figures.ts'
import { createAlertReceiver } from '../providers/alert-webhooks/alert-receiver.ts'
import { chosenProviders } from '../providers/chosen-providers.ts'
import { guardPorts } from '../providers/guarded-ports.ts'
import { modelVendors } from '../providers/models/vendors.ts'
import { createPlatformEndpoint, platformParty, probePlatform } from '../providers/platform/endpoint.ts'
import { createPlatformPorts } from '../providers/platform/platform-ports.ts'
import { createPlatformWorkspaces } from '../providers/platform/workspaces.ts'
import { createPortGuard } from '../providers/port-guard.ts'
import { choicesOf } from '../providers/telephony/registry.ts'
import type { Settings } from '../settings/settings.ts'
import { trustedAddresses } from '../settings/trusted-addresses.ts'
import type { Infrastructure } from './infrastructure.ts'

/** Everything that features need from outside, and what only wiring uses. */
export type WiredPorts = ReturnType<typeof createPorts>

export function createPorts(settings: Settings, infrastructure: Infrastructure) {
  const { defaultCountry, platform, models } = settings
  const { breakers, figures } = infrastructure
  const platformBreaker = breakers.add(platformParty, { failuresToOpen: 20, probe: (signal) => probePlatform(platform, signal) })
  const endpoint = createPlatformEndpoint({ ...platform, ...infrastructure, breaker: platformBreaker })
  const platformOptions = {
    endpoint,
    requestsPerMinute: platform.requestsPerMinute,
    originOf: (workspace: string): string => originOf(workspace, platform.workspaceUrl),
  }
  const workspaces = createPlatformWorkspaces(platformOptions)
  const schemas = createSectionSchemas({ defaultCountry, ...choicesOf(infrastructure.telephonyProviders), models: modelVendors })
  const box = infrastructure.boxFor('configuration')
  const live = createConfiguration({ ...infrastructure, workspaces, box, schemas, workspaceSeeds: settings.seeds })
  const { configuration } = live
  const lastKnownConfiguration = withLastKnown(configuration, infrastructure)
  const platformPorts = createPlatformPorts({ ...infrastructure, ...platformOptions, configuration, lastKnownConfiguration })
  const addressGuard = createAddressGuard({ trusted: trustedAddresses(settings), resolve: infrastructure.resolveHost })
  const guarded = guardPorts(createPortGuard({ ...infrastructure, observe: (call) => countUpstreamCall(figures, call) }))
  return {
    ...infrastructure,
    ...live,
    ...platformPorts,
    ...chosenProviders({ ...infrastructure, configuration, guarded, dispatcher: addressGuard.dispatcher, models }),
    alertReceiver: (address: AlertAddress) =>
      guarded.alertReceiver(createAlertReceiver(address, { ...infrastructure, dispatcher: addressGuard.dispatcher }), address),
    doctorDirectory: createDoctorDirectory({ ...infrastructure, doctorRecords: platformPorts.doctorRecords }),
    workspaces,
    installedRoles: platform.roles,
    lastKnownConfiguration,
    schemas,
    addressGuard,
    guarded,
    platformBreaker,
    /** The listener receives each access token whose member is gone from the workspace. */
    onMemberGone: (listener: (accessToken: string) => void) => endpoint.onMemberGone(listener),
    /** Throws if the platform does not answer. */
    checkPlatform: (signal: AbortSignal) => checkAddress(`${platform.url}/healthz`, signal),
  }
}

async function checkAddress(address: string, signal: AbortSignal): Promise<void> {
  const { status } = await httpRequest({ who: 'The platform', url: address, method: 'GET', signal })
  if (status >= 400) throw new Error(`status ${status}`)
}
