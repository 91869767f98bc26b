import { z } from 'zod'
import { createSingleFlight } from '../../kernel/single-flight.ts'
import type { Store } from '../../ports/store.ts'
import { type RecordingAnalysis, analysisSchema } from './analysis.ts'
import { untilStored } from './until-stored.ts'
import { partNames, sentimentNames, type Transcript } from '../../ports/speech.ts'

export type CallKey = { readonly workspaceId: string; readonly callId: string }

/** Analyses are kept for 7 days, per workspace and call. */
export const analysisKeptMs = 7 * 86_400_000
/** Long enough to ask the language model again after it was away, without hearing the recording twice. */
const transcriptKeptMs = 86_400_000

const readTries = 6

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
const keptTranscriptSchema = z.object({ sourceHash: z.string(), twoChannels: z.boolean(), transcript: transcriptSchema })
export type KeptTranscript = { readonly sourceHash: string; readonly twoChannels: boolean; readonly transcript: Transcript }

/** What is known of recordings already. What cannot be read any more (another version wrote it) counts as missing. */
export type KeptAnalyses = ReturnType<typeof createKeptAnalyses>

export function createKeptAnalyses(store: Store) {
  const reading = createSingleFlight<RecordingAnalysis | null>()
  return {
    /** One read for all who ask at the same moment, again for a few seconds where the store does not answer. */
    read(key: CallKey): Promise<RecordingAnalysis | null> {
      return reading.run(analysisKey(key), async () =>
        parsed(analysisSchema, await untilStored(() => store.get(analysisKey(key)), { tries: readTries })),
      )
    },
    /** One read of the store, in the order of the ids. */
    async readMany(workspaceId: string, callIds: readonly string[]): Promise<readonly (RecordingAnalysis | null)[]> {
      if (callIds.length === 0) return []
      const texts = await store.getMany(callIds.map((callId) => analysisKey({ workspaceId, callId })))
      return texts.map((text) => parsed(analysisSchema, text))
    },
    write: (key: CallKey, analysis: RecordingAnalysis) => store.set(analysisKey(key), JSON.stringify(analysis), { ttlMs: analysisKeptMs }),
    readTranscript: async (key: CallKey): Promise<KeptTranscript | null> =>
      parsed(keptTranscriptSchema, await store.get(transcriptKey(key))),
    writeTranscript: (key: CallKey, transcript: KeptTranscript) =>
      store.set(transcriptKey(key), JSON.stringify(transcript), { ttlMs: transcriptKeptMs }),
    dropTranscript: (key: CallKey) => store.delete(transcriptKey(key)),
  }
}

const analysisKey = ({ workspaceId, callId }: CallKey): string => `recording:${workspaceId}:${callId}`
const transcriptKey = ({ workspaceId, callId }: CallKey): string => `recording-transcript:${workspaceId}:${callId}`

function parsed<Value>(schema: z.ZodType<Value>, text: string | null): Value | null {
  return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
}
