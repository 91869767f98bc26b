import type { AuthPorts } from '../features/auth/auth-ports.ts'
import { watchActor } from '../features/auth/watch-actor.ts'
import { listDoctorsForModels } from '../features/doctors/list-doctors-for-models.ts'
import { createAddressGuard } from '../kernel/address-guard.ts'
import { createRecordingSource } from '../providers/recordings/recording-source.ts'
import { withFairUse } from '../providers/speech/fair-use.ts'
import { openSpeech, speechNotConfigured } from '../providers/speech/registry.ts'
import { createAnalyseRecording } from '../features/recordings/analyse-recording.ts'
import { createCallOf } from '../features/recordings/call-of.ts'
import { createFollowProgress } from '../features/recordings/follow-progress.ts'
import { createKeptAnalyses } from '../features/recordings/stored-analyses.ts'
import { createOpenAudio, type OpenAudio } from '../features/recordings/open-audio.ts'
import { createReadAnalyses, createReadAnalysis } from '../features/recordings/read-analysis.ts'
import type { RecordingSource } from '../ports/recording-source.ts'
import { createRecordingUrlOf } from '../features/recordings/recording-of-call.ts'
import { createRequestAnalysis } from '../features/recordings/request-analysis.ts'
import { createRecordingResolvers } from '../features/recordings/resolvers.ts'
import { createRunLock } from '../features/recordings/run-lock.ts'
import { createRuns } from '../features/recordings/runs.ts'
import type { Speech } from '../ports/speech.ts'
import type { Resolvers } from '../generated.ts'
import type { Settings } from '../settings/settings.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { WiredPorts } from './ports.ts'

export type Recordings = AsyncDisposable & { readonly resolvers: Resolvers; readonly openAudio: OpenAudio }

export type RecordingPartners = { readonly ports: WiredPorts; readonly authPorts: AuthPorts }

/** What was said: recordings are analysed once, kept, and played. Disposing ends what is under way; another instance goes on with it. */
export function createRecordings(settings: Settings, infrastructure: Infrastructure, { ports, authPorts }: RecordingPartners): Recordings {
  const { store, notifications, clock, log } = infrastructure
  const { configuration, languageModelOf, telephonyOf, records } = ports
  const knownDoctors = (workspaceId: string) => listDoctorsForModels(ports, workspaceId)
  const kept = createKeptAnalyses(store)
  const lock = createRunLock({ store, notifications })
  const runs = createRuns({ lock, kept, notifications, clock, log })
  const callOf = createCallOf(records.calls)
  const recordingUrlOf = createRecordingUrlOf({ telephonyOf, clock })
  const source = createSource(settings, infrastructure, ports)
  const { speechOf, close } = createSpeech(settings, infrastructure, ports)
  const analyse = createAnalyseRecording({ source, speechOf, languageModelOf, configuration, knownDoctors, kept, clock })
  return {
    resolvers: createRecordingResolvers({
      requestAnalysis: createRequestAnalysis({ callOf, recordingUrlOf, kept, lock, runs, analyse }),
      readAnalysis: createReadAnalysis({ callOf, kept, lock }),
      readAnalyses: createReadAnalyses(kept),
      followProgress: createFollowProgress({ callOf, kept, lock, notifications, watchCaller: (actor) => watchActor(authPorts, actor) }),
    }),
    openAudio: createOpenAudio({ callOf, recordingUrlOf, source }),
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]()
      await close()
    },
  }
}

function createSource(
  { recordings }: Settings,
  { resolveHost }: Infrastructure,
  { configuration, outboundOf }: WiredPorts,
): RecordingSource {
  const { trustedOrigins } = recordings
  const resolve = resolveHost === undefined ? {} : { resolve: resolveHost }
  const guard = createAddressGuard({ trusted: trustedOrigins, timeouts: { headersTimeout: 15_000, bodyTimeout: 60_000 }, ...resolve })
  return createRecordingSource({
    guard,
    hostsOf: async (workspaceId) => (await configuration.read(workspaceId, 'ai')).recordings.hosts,
    outboundOf,
    isInside: (url) => trustedOrigins.includes(new URL(url).origin),
  })
}

function createSpeech({ speech: account }: Settings, { store }: Infrastructure, { guarded }: WiredPorts) {
  const opened = openSpeech(account)
  if (!opened) {
    const speechOf = (): Speech => {
      throw speechNotConfigured()
    }
    return { speechOf, close: async () => {} }
  }
  const speech = withFairUse(guarded.speech(opened.speech, opened.account), { store, ...opened })
  return { speechOf: () => speech, close: () => opened.speech[Symbol.asyncDispose]() }
}
