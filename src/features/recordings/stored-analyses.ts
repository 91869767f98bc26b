import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { SingleFlight } from '../../kernel/single-flight.ts'
import { partNames, sentimentNames, type Transcript } from '../../ports/speech.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Store } from '../../ports/store.ts'
import { analysisSchema, type RecordingAnalysis } from './recording-analysis.ts'
import { retryWhileStoreIsAway } from './retry-while-store-is-away.ts'

/** The store, and the single flight for concurrent readers of one analysis. */
export type AnalysisReads = { readonly store: Store; readonly analysisReads: SingleFlight<RecordingAnalysis | null> }

export type CallKey = { readonly workspaceId: string; readonly callId: string }

/** Long enough to ask the language model again after an outage without a second transcription. */
const transcriptTtlMs = 86_400_000
const readTries = 6
const maxChanges = 20

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
  readonly transcript: Transcript
}

/** Null if there is none, or if its format is unknown. Repeats the read for a few seconds while the store is unavailable. */
async function readStoredAnalysis(store: Store, key: CallKey): Promise<RecordingAnalysis | null> {
  return parsed(analysisSchema, await retryWhileStoreIsAway(() => store.get(analysisKey(key)), { tries: readTries }))
}

/** Like `readStoredAnalysis`, with one read of the store for all concurrent readers. */
export function readSharedAnalysis({ store, analysisReads }: AnalysisReads, key: CallKey): Promise<RecordingAnalysis | null> {
  return analysisReads.run(analysisKey(key), () => readStoredAnalysis(store, key))
}

/** One read of the store; the result has the order of the ids. */
export async function readStoredAnalyses(
  store: Store,
  workspaceId: string,
  callIds: readonly string[],
): Promise<readonly (RecordingAnalysis | null)[]> {
  if (callIds.length === 0) return []
  const texts = await store.getMany(callIds.map((callId) => analysisKey({ workspaceId, callId })))
  return texts.map((text) => parsed(analysisSchema, text))
}

/** It is stored until its `expiresAt`. */
export function writeStoredAnalysis(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  key: CallKey,
  analysis: RecordingAnalysis,
): Promise<void> {
  return store.set(analysisKey(key), JSON.stringify(analysis), { ttlMs: Date.parse(analysis.expiresAt) - clock.now() })
}

/** The analysis after the change, also if nothing changes; null if there is none. Its end stays. Throws OVERLOADED if others change it all the time. */
export async function changeStoredAnalysis(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  key: CallKey,
  change: (analysis: RecordingAnalysis) => RecordingAnalysis,
): Promise<RecordingAnalysis | null> {
  for (let tries = 0; tries < maxChanges; tries += 1) {
    const expected = await store.get(analysisKey(key))
    const analysis = parsed(analysisSchema, expected)
    if (expected === null || analysis === null) return null
    const changed = change(analysis)
    const value = JSON.stringify(changed)
    if (value === expected) return analysis
    const ttlMs = Date.parse(changed.expiresAt) - clock.now()
    if (await store.compareAndSet(analysisKey(key), { expected, value, ttlMs })) return changed
  }
  throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}

export async function readStoredTranscript(store: Store, key: CallKey): Promise<StoredTranscript | null> {
  return parsed(storedTranscriptSchema, await store.get(transcriptKey(key)))
}

export function writeStoredTranscript(store: Store, key: CallKey, transcript: StoredTranscript): Promise<void> {
  return store.set(transcriptKey(key), JSON.stringify(transcript), { ttlMs: transcriptTtlMs })
}

export async function deleteStoredTranscript(store: Store, key: CallKey): Promise<void> {
  await store.delete(transcriptKey(key))
}

/** The first part of the keys of analyses. */
export const analysisFamily = 'recording'
const analysisKey = ({ workspaceId, callId }: CallKey): string => `recording:${workspaceId}:${callId}`
const transcriptKey = ({ workspaceId, callId }: CallKey): string => `recording-transcript:${workspaceId}:${callId}`

function parsed<Value>(schema: z.ZodType<Value>, text: string | null): Value | null {
  return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
}
