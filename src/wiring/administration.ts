import { testAlertWebhook } from '../features/alerts/test-alert-webhook.ts'
import type { CallPorts } from '../features/calls/state/call-ports.ts'
import { checkLiveEvents } from '../features/calls/live-events/check-live-events.ts'
import { testAiConnection } from '../features/configuration/connection-tests/ai.ts'
import { testTelephonyConnection } from '../features/configuration/connection-tests/telephony.ts'
import { type ConnectionTestPorts, type ConnectionTests, testNoConnection } from '../features/configuration/connection-test.ts'
import { configurationResolvers } from '../features/configuration/resolvers.ts'
import { testPlatformConnection } from '../features/setup/platform-connection-test.ts'
import { setupResolvers } from '../features/setup/resolvers.ts'
import type { Resolvers } from '../generated.ts'
import type { AlertAddress } from '../ports/alert-receiver.ts'
import { createAlertReceiver } from '../providers/alert-webhooks/alert-receiver.ts'
import { createLanguageModel } from '../providers/models/language-model.ts'
import { createTelephony } from '../providers/telephony/registry.ts'
import { ownRootFields, readContract } from '../server/graphql/local-schema.ts'
import type { Settings } from '../settings/settings.ts'
import type { WiredPorts } from './ports.ts'

/** The resolvers of the configuration, the setup wizard and the platform's data model. */
export function administrationResolvers(settings: Settings, wired: WiredPorts, calls: CallPorts): readonly Resolvers[] {
  const ports = { ...wired, fingerprintKey: wired.keyFor('configuration fingerprints') }
  const drafts = connectionTestPorts(settings, wired)
  const connectionTests: ConnectionTests = {
    telephony: async (section, { workspaceId, signal }) => [
      ...(await testTelephonyConnection(drafts, section, signal)),
      await checkLiveEvents(calls, section, workspaceId),
    ],
    ai: (section, scope) => testAiConnection(drafts, section, scope),
    platform: (section, scope) => testPlatformConnection({ ...ports, ownRootFields: ownRootFields(readContract()) }, section, scope),
    widget: testNoConnection,
    theme: testNoConnection,
    alerts: (section, scope) => testAlertWebhook({ ...wired, alertReceiver: drafts.alertReceiverFor }, section, scope),
  }
  return [configurationResolvers({ ...ports, connectionTests }), setupResolvers(ports)]
}

/** Providers for values that are tested before they are stored. */
export function connectionTestPorts(settings: Settings, wired: WiredPorts) {
  const { dispatcher } = wired.addressGuard
  return {
    clock: wired.clock,
    telephonyFor: ({ provider, defaultCountry }) => createTelephony(provider, { ...wired, defaultCountry, dispatcher }),
    languageModelFor: (section) => createLanguageModel(section, settings.models),
    sipServers: { allowed: settings.http.sipServers, dispatcher },
    alertReceiverFor: (address: AlertAddress) => createAlertReceiver(address, { ...wired, dispatcher }),
  } satisfies ConnectionTestPorts & { readonly alertReceiverFor: WiredPorts['alertReceiver'] }
}
