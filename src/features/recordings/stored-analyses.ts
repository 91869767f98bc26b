import { z } from 'zod'
import { mapInSlices } from '../../kernel/loop-slices.ts'
import type { SingleFlight } from '../../kernel/single-flight.ts'
import { partNames, sentimentNames, type Transcript } from '../../ports/speech.ts'
import type { Ports } from '../../ports/ports.ts'
import { maxAnalysisDays } from '../../ports/configuration/ai.ts'
import type { Store } from '../../ports/store.ts'
import { Family } from '../../ports/stored/family.ts'
import { analysisSchema, type RecordingAnalysis } from './recording-analysis.ts'
import { retryWhileStoreIsAway } from './retry-while-store-is-away.ts'

/** The store, and the single flight for concurrent readers of one analysis. */
export type AnalysisReads = { readonly store: Store; readonly analysisReads: SingleFlight<RecordingAnalysis | null> }

export type CallKey = { readonly workspaceId: string; readonly callId: string }

const dayMs = 86_400_000
const readTries = 6

export const storedAnalyses = new Family({
  name: 'recording',
  key: ({ workspaceId, callId }: CallKey) => [workspaceId, callId],
  schema: analysisSchema,
  // A new analysis replaces it.
  unreadable: 'ABSENT',
  lifetime: maxAnalysisDays * dayMs,
  about: 'call',
  what: 'the analysis of a recording; 7 days unless the workspace sets more',
})

const scored = { sentiment: z.enum(sentimentNames), score: z.number() }
const transcriptSchema = z.object({
  language: z.string().nullable(),
  durationSeconds: z.number(),
  model: z.string(),
  summary: z.string().nullable(),
  topics: z.array(z.object({ topic: z.string(), confidence: z.number() })).nullable(),
  sentiment: z
    .object({ average: z.object(scored), timeline: z.array(z.object({ start: z.number(), end: z.number(), ...scored })) })
    .nullable(),
  utterances: z.array(z.object({ start: z.number(), end: z.number(), channel: z.int(), speaker: z.int().nullable(), text: z.string() })),
  missing: z.array(z.object({ part: z.enum(partNames), why: z.string() })),
})
const storedTranscriptSchema = z.object({ sourceHash: z.string(), twoChannels: z.boolean(), transcript: transcriptSchema })
export type StoredTranscript = {
  /** SHA-256 of the recording's address, base64url. */
  readonly sourceHash: string
  readonly twoChannels: boolean
  readonly transcript: Omit<Transcript, 'channels'>
}

export const storedTranscripts = new Family<CallKey, StoredTranscript>({
  name: 'recording-transcript',
  key: ({ workspaceId, callId }: CallKey) => [workspaceId, callId],
  schema: storedTranscriptSchema,
  unreadable: 'ABSENT',
  // Long enough to ask the language model again after an outage without a second transcription.
  lifetime: dayMs,
  about: 'call',
  what: 'a transcript, until its analysis is complete',
})

/** Null if there is none, or if its format is unknown. Repeats the read for a few seconds while the store is unavailable. */
async function readStoredAnalysis(store: Store, key: CallKey): Promise<RecordingAnalysis | null> {
  return retryWhileStoreIsAway(() => storedAnalyses.read({ store }, key), { tries: readTries })
}

/** Like `readStoredAnalysis`, with one read of the store for all concurrent readers. */
export function readSharedAnalysis({ store, analysisReads }: AnalysisReads, key: CallKey): Promise<RecordingAnalysis | null> {
  return analysisReads.run(storedAnalyses.keyText(key), () => readStoredAnalysis(store, key))
}

/** An analysis of a long call has 100 kB. */
const readAtOnce = 10

/** In the order of the ids; equal ids are read once. In slices of the event loop. */
export function readStoredAnalyses(
  store: Store,
  workspaceId: string,
  callIds: readonly string[],
): Promise<readonly (RecordingAnalysis | null)[]> {
  return readOfStoredAnalyses(store, { workspaceId, callIds }, (analysis) => analysis)
}

/** As `readStoredAnalyses`, a part of each. The rest is garbage at once: five hundred analyses at a time would be 20 MB. */
export async function readOfStoredAnalyses<Part extends object>(
  store: Store,
  { workspaceId, callIds }: { readonly workspaceId: string; readonly callIds: readonly string[] },
  partOf: (analysis: RecordingAnalysis) => Part,
): Promise<readonly (Part | null)[]> {
  const different = [...new Set(callIds)]
  const parts = await mapInSlices(different, readAtOnce, async (some) => {
    const keys = some.map((callId) => ({ workspaceId, callId }))
    return (await storedAnalyses.readMany({ store }, keys)).map((analysis) => analysis && partOf(analysis))
  })
  const byId = new Map(different.map((callId, index) => [callId, parts[index] ?? null]))
  return callIds.map((callId) => byId.get(callId) ?? null)
}

/** It is stored until its `expiresAt`. */
export function writeStoredAnalysis(ports: Pick<Ports, 'store' | 'clock'>, key: CallKey, value: RecordingAnalysis): Promise<void> {
  return storedAnalyses.write(ports, key, { value, lifetime: leftOf(ports, value) })
}

/** The analysis after the change, also if nothing changes; null if there is none. Its end stays. Throws OVERLOADED if others change it all the time. */
export async function changeStoredAnalysis(
  ports: Pick<Ports, 'store' | 'clock'>,
  key: CallKey,
  change: (analysis: RecordingAnalysis) => RecordingAnalysis,
): Promise<RecordingAnalysis | null> {
  const { after } = await storedAnalyses.change(ports, key, {
    next: (analysis) => analysis && change(analysis),
    lifetime: (analysis) => leftOf(ports, analysis),
  })
  return after
}

function leftOf({ clock }: Pick<Ports, 'clock'>, { expiresAt }: RecordingAnalysis): number {
  return Date.parse(expiresAt) - clock.now()
}

export function readStoredTranscript(store: Store, key: CallKey): Promise<StoredTranscript | null> {
  return storedTranscripts.read({ store }, key)
}

export function writeStoredTranscript(store: Store, key: CallKey, transcript: StoredTranscript): Promise<void> {
  return storedTranscripts.write({ store }, key, { value: transcript })
}

export async function deleteStoredTranscript(store: Store, key: CallKey): Promise<void> {
  await storedTranscripts.delete({ store }, key)
}
