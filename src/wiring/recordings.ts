import type { Auth } from '../auth/auth.ts'
import { createKnownDoctors } from '../doctors/known-doctors.ts'
import { createAddressGuard } from '../kernel/address-guard.ts'
import { createRecordingSource } from '../providers/recordings/recording-source.ts'
import { withFairUse } from '../providers/speech/fair-use.ts'
import { openSpeech, speechNotConfigured } from '../providers/speech/registry.ts'
import { createAnalyseRecording } from '../recordings/analyse-recording.ts'
import { createCallOf } from '../recordings/call-of.ts'
import { createFollowProgress } from '../recordings/follow-progress.ts'
import { createKeptAnalyses } from '../recordings/kept-analyses.ts'
import { createOpenAudio, type OpenAudio } from '../recordings/open-audio.ts'
import { createReadAnalyses, createReadAnalysis } from '../recordings/read-analysis.ts'
import type { RecordingSource } from '../recordings/recording-source.ts'
import { createRecordingUrlOf } from '../recordings/recording-of-call.ts'
import { createRequestAnalysis } from '../recordings/request-analysis.ts'
import { createRecordingResolvers } from '../recordings/resolvers.ts'
import { createRunLock } from '../recordings/run-lock.ts'
import { createRuns } from '../recordings/runs.ts'
import type { Speech } from '../recordings/speech.ts'
import type { Resolvers } from '../server/graphql/generated.ts'
import type { Settings } from '../settings.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Ports } from './ports.ts'

export type Recordings = AsyncDisposable & { readonly resolvers: Resolvers; readonly openAudio: OpenAudio }

export type RecordingPartners = { readonly ports: Ports; readonly auth: Auth }

/** What was said: recordings are analysed once, kept, and played. Disposing ends what is under way; another instance goes on with it. */
export function createRecordings(settings: Settings, infrastructure: Infrastructure, { ports, auth }: RecordingPartners): Recordings {
  const { store, notices, clock, log } = infrastructure
  const { configuration, languageModelOf, telephonyOf, records, doctorDirectory } = ports
  const knownDoctors = createKnownDoctors(doctorDirectory)
  const kept = createKeptAnalyses(store)
  const lock = createRunLock({ store, notices })
  const runs = createRuns({ lock, kept, notices, clock, log })
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
      followProgress: createFollowProgress({ callOf, kept, lock, notices, watchCaller: auth.watchCaller }),
    }),
    openAudio: createOpenAudio({ callOf, recordingUrlOf, source }),
    async [Symbol.asyncDispose]() {
      await runs[Symbol.asyncDispose]()
      await close()
    },
  }
}

function createSource({ recordings }: Settings, { resolveHost }: Infrastructure, { configuration, outboundOf }: Ports): RecordingSource {
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

function createSpeech({ speech: account }: Settings, { store }: Infrastructure, { guarded }: Ports) {
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
