import { type ManagementOptions, manageConfiguration } from '../features/configuration/manage-configuration.ts'
import { createConfigurationResolvers } from '../features/configuration/resolvers.ts'
import { createAiConnectionTest } from '../features/configuration/trials/ai.ts'
import { createTelephonyConnectionTest } from '../features/configuration/trials/telephony.ts'
import { tryNothing } from '../features/configuration/trials/valid.ts'
import { createLanguageModel } from '../providers/models/language-model.ts'
import { createTelephony } from '../providers/telephony/registry.ts'
import { readContract } from '../server/graphql/local-schema.ts'
import { ownRootFields } from '../server/graphql/own-root-fields.ts'
import type { Resolvers } from '../generated.ts'
import type { Settings } from '../settings/settings.ts'
import { createChangeSetup } from '../features/setup/change-setup.ts'
import { createDetectStep } from '../features/setup/detect-step.ts'
import { createPlatformConnectionTest } from '../features/setup/platform-connection-test.ts'
import { createProvision } from '../features/setup/provision.ts'
import { createSetupResolvers } from '../features/setup/resolvers.ts'
import type { SetupStore } from '../features/setup/setup-store.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { WiredPorts } from './ports.ts'

/** What managers do with the service itself: its configuration, the setup wizard, the platform's data model. */
export function createAdministration(
  settings: Settings,
  infrastructure: Infrastructure,
  { ports, setupStore }: { readonly ports: WiredPorts; readonly setupStore: SetupStore },
): readonly Resolvers[] {
  const { audit, clock } = infrastructure
  const { configuration, dataModel: model, workspaceFacts } = ports
  const { connectionTestResults, ...useCases } = manageConfiguration(managementOptions(settings, infrastructure, ports))
  const detectStep = createDetectStep({ configuration, connectionTests: connectionTestResults, countMembers: workspaceFacts.countMembers })
  return [
    createConfigurationResolvers(useCases),
    createSetupResolvers({
      setupStore,
      detectStep,
      changeSetup: createChangeSetup({ setup: setupStore, audit, clock }),
      provision: createProvision({ configuration, model, audit }),
    }),
  ]
}

function managementOptions(settings: Settings, infrastructure: Infrastructure, ports: WiredPorts): ManagementOptions {
  const { store, clock, log, keyFor } = infrastructure
  const { dataModel: model, workspaceFacts, workspaces, schemas, addressGuard } = ports
  const reserved = ownRootFields(readContract())
  return {
    ...infrastructure,
    schemas,
    live: ports,
    fingerprintKey: keyFor('configuration fingerprints'),
    ownerOfApiKey: workspaces.ownerOfApiKey,
    faultOfAddress: (url) => addressGuard.faultOf(url),
    connectionTests: {
      telephony: createTelephonyConnectionTest(({ provider, defaultCountry }) =>
        createTelephony(provider, { store, clock, log, defaultCountry, dispatcher: addressGuard.dispatcher }),
      ),
      ai: createAiConnectionTest((section) => createLanguageModel(section, settings.models)),
      platform: createPlatformConnectionTest({
        model,
        ownerOfApiKey: workspaces.ownerOfApiKey,
        ...workspaceFacts,
        ownRootFields: () => reserved,
      }),
      widget: tryNothing,
      theme: tryNothing,
    },
  }
}
