import type { AuthPorts } from '../features/auth/auth-ports.ts'
import { createRecordings } from '../features/recordings/recordings.ts'
import { createAddressGuard } from '../kernel/address-guard.ts'
import type { RecordingSource } from '../ports/recording-source.ts'
import { createRecordingSource } from '../providers/recordings/recording-source.ts'
import { withFairUse } from '../providers/speech/fair-use.ts'
import { noSpeech, openSpeech } from '../providers/speech/registry.ts'
import type { Settings } from '../settings/settings.ts'
import type { WiredPorts } from './ports.ts'

export type Recordings = ReturnType<typeof createRecordings>

/** Disposing ends this process's runs, then closes the speech provider. */
export function openRecordings(settings: Settings, ports: WiredPorts & AuthPorts): Recordings {
  const { speech, close } = openFairSpeech(settings, ports)
  return createRecordings({ ...ports, recordingSource: openSource(settings, ports), speech, close })
}

function openSource({ recordings }: Settings, { resolveHost, configuration, outboundTelephonyOf }: WiredPorts): RecordingSource {
  const { trustedOrigins } = recordings
  return createRecordingSource({
    guard: createAddressGuard({ trusted: trustedOrigins, timeouts: { headersTimeout: 15_000, bodyTimeout: 60_000 }, resolve: resolveHost }),
    hostsOf: async (workspaceId) => (await configuration.read(workspaceId, 'ai')).recordings.hosts,
    outboundOf: outboundTelephonyOf,
    isPrivate: (url) => trustedOrigins.includes(new URL(url).origin),
  })
}

function openFairSpeech({ speech: account }: Settings, { store, guarded }: WiredPorts) {
  const opened = openSpeech(account)
  if (!opened) return { speech: noSpeech, close: async () => {} }
  const fair = withFairUse(guarded.speech(opened.speech, opened), { store, ...opened })
  return { speech: () => fair, close: () => opened.speech[Symbol.asyncDispose]() }
}
