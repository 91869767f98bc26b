import { isoMoment } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { criteriaOf } from '../../ports/configuration/criteria.ts'
import { plainText } from '../../kernel/text.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { type InspectedRecording, maxRecordingBytes } from '../../ports/recording-source.ts'
import type { Audio, MissingPart, Speech } from '../../ports/speech.ts'
import { listDoctorsForModels } from '../doctors/list-doctors-for-models.ts'
import { askForCallInsights, type InsightsAnswer } from './ask-for-call-insights.ts'
import { checkCitations } from './check-citations.ts'
import { describeConversation } from './conversation.ts'
import { type NamedSpeaker, nameByChannel, nameByModel, nameNobody, roleIn } from './name-speakers.ts'
import type { RecordingAnalysis } from './recording-analysis.ts'
import type { RecordingPorts } from './recording-ports.ts'
import { retryWhileStoreIsAway } from './retry-while-store-is-away.ts'
import type { HeldRun } from './run-lease.ts'
import {
  type CallKey,
  deleteStoredTranscript,
  readStoredTranscript,
  type StoredTranscript,
  writeStoredAnalysis,
  writeStoredTranscript,
} from './stored-analyses.ts'
import { numberUtterances } from './number-utterances.ts'
import { type Judged, recordScorecard } from './scorecards/record-scorecard.ts'
import { indexAnalysis } from './search/index-analysis.ts'
import { noteDisposition } from './search/note-disposition.ts'

/** The recording of a call. `agentId`: the call's agent record. */
export type RecordingOfCall = CallKey &
  Pick<RecordingAnalysis, 'agentId' | 'startedAt' | 'disposition'> & {
    readonly url: string
    /** Null if it is unknown. */
    readonly ucid: string | null
    /** ISO 8601. Null if it is unknown. */
    readonly endedAt: string | null
  }
const hour = 3_600_000
const day = 24 * hour
/** `signal` aborts when the run is lost or the service stops. */
type Running = { readonly run: HeldRun; readonly signal: AbortSignal }
type AnalysisPorts = Pick<
  RecordingPorts,
  | 'recordingSource'
  | 'speech'
  | 'languageModelOf'
  | 'configuration'
  | 'doctorDirectory'
  | 'figures'
  | 'store'
  | 'transcriptIndex'
  | 'clock'
  | 'log'
>

/**
 * Transcribes a recording, has a language model judge it and stores the result. The transcript is stored separately, so that a later run
 * does not pay for it again. If the model gives no usable answer or refuses the content, the analysis has no insights and says why.
 * Errors: those of the ports.
 */
export async function analyseRecording(
  ports: AnalysisPorts,
  recording: RecordingOfCall,
  { run, signal }: Running,
): Promise<RecordingAnalysis> {
  const { store } = ports
  // Both before any work: nothing is paid for if a key is missing.
  const model = await ports.languageModelOf(recording.workspaceId)
  const transcript = await transcribe(ports, recording, { speech: ports.speech(), run, signal })
  const { analysis, criteria } = await understand(ports, recording, { transcript, model, signal })
  if (signal.aborted) throw signal.reason
  // First, so that what is stored is found: an entry of the index without its analysis shows nothing.
  await retryWhileStoreIsAway(() => indexAnalysis(ports, recording.workspaceId, analysis), { signal })
  await retryWhileStoreIsAway(() => recordScorecard(ports, recording.workspaceId, { analysis, criteria }), { signal })
  await retryWhileStoreIsAway(() => writeStoredAnalysis(ports, recording, analysis), { signal })
  const { ucid } = recording
  // The agent may have chosen the disposition meanwhile.
  if (ucid !== null) await retryWhileStoreIsAway(() => noteDisposition(ports, { ...recording, ucid }), { signal })
  await deleteStoredTranscript(store, recording).catch(() => undefined)
  return analysis
}

async function transcribe(
  { recordingSource, store, clock }: AnalysisPorts,
  recording: RecordingOfCall,
  { speech, run, signal }: Running & { readonly speech: Speech },
): Promise<StoredTranscript> {
  const sourceHash = hashOf(recording.url)
  const stored = await retryWhileStoreIsAway(() => readStoredTranscript(store, recording), { signal })
  if (stored?.sourceHash === sourceHash) {
    await run.reach('TRANSCRIBED')
    return stored
  }
  const { workspaceId, url, endedAt } = recording
  const isRecent = endedAt !== null && clock.now() - Date.parse(endedAt) < hour
  const found = await recordingSource.inspect({ workspaceId, url, signal }, { isRecent })
  await run.reach('FETCHED')
  const audio = audioOf({ recordingSource, speech }, workspaceId, found)
  const { channels, ...transcript } = await speech.transcribe({ audio, twoChannels: found.channels === 2, signal })
  const made = { sourceHash, twoChannels: channels === 2, transcript }
  await retryWhileStoreIsAway(() => writeStoredTranscript(store, recording, made), { signal })
  await run.reach('TRANSCRIBED')
  return made
}

/** An address if the speech provider can fetch it; else the bytes are streamed through this service. */
function audioOf(
  { recordingSource, speech }: Pick<AnalysisPorts, 'recordingSource'> & { readonly speech: Speech },
  workspaceId: string,
  { url, contentType, needsCredentials, isPrivate }: InspectedRecording,
): Audio {
  if (!needsCredentials && (!isPrivate || speech.isPrivate)) return { kind: 'ADDRESS', url }
  return {
    kind: 'BYTES',
    contentType,
    open: async (signal) => limited((await recordingSource.open({ workspaceId, url, signal }, {})).body),
  }
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxRecordingBytes) throw invalidInput('recordingUrl', 'names a recording of more than 2 GB')
    yield chunk
  }
}

type Material = { readonly transcript: StoredTranscript; readonly model: LanguageModel; readonly signal: AbortSignal }

async function understand(ports: AnalysisPorts, recording: RecordingOfCall, material: Material): Promise<Judged> {
  const { transcript, twoChannels, sourceHash } = material.transcript
  const { workspaceId, callId, agentId, startedAt, disposition } = recording
  const [{ recordings }, doctors] = await Promise.all([
    ports.configuration.read(workspaceId, 'ai'),
    listDoctorsForModels(ports, workspaceId),
  ])
  const utterances = numberUtterances(transcript.utterances, { twoChannels })
  const criteria = criteriaOf(recordings)
  const rules = criteria.map(({ question }) => question)
  const { model, signal } = material
  const { filled, why } = await fillForm(model, { utterances, rules, doctors, mask: recordings.maskPersonalData, signal })
  const form = filled?.form ?? null
  const named = twoChannels
    ? nameByChannel(utterances, recordings.agentChannel === 'FIRST' ? 0 : 1)
    : form
      ? nameByModel(utterances, form.speakers)
      : nameNobody(utterances)
  const conversation = describeConversation(utterances, transcript.durationSeconds)
  const now = ports.clock.now()
  const analysis: RecordingAnalysis = {
    callId,
    agentId,
    startedAt,
    disposition,
    language: transcript.language,
    durationSeconds: transcript.durationSeconds,
    ...summaryOf(transcript.summary, form?.summary ?? null),
    topics: [...(transcript.topics ?? [])],
    sentiment: transcript.sentiment && { average: transcript.sentiment.average, timeline: [...transcript.sentiment.timeline] },
    speakers: conversation.speakers.map((share) => ({ ...share, ...nameOf(named, share.speaker) })),
    silenceSeconds: conversation.silenceSeconds,
    longestSilenceSeconds: conversation.longestSilenceSeconds,
    utterances: utterances.map((utterance) => ({ ...utterance, role: roleIn(named, utterance.speaker) })),
    insights: form && checkCitations(form, criteria, utterances),
    missing: missingParts(transcript.missing, { why, named, hasSummary: transcript.summary !== null || form !== null }),
    model: { speech: transcript.model, language: filled?.model ?? null },
    tokens: filled?.tokens ?? { input: 0, output: 0 },
    sourceHash,
    analyzedAt: isoMoment(now),
    expiresAt: isoMoment(now + recordings.retentionDays * day),
  }
  return { analysis, criteria }
}

type Filled = { readonly filled: InsightsAnswer | null; readonly why: string | null }
type Question = Parameters<typeof askForCallInsights>[1]

/** An unusable answer or a refusal of the content still leaves the transcript; errors that may pass are thrown. */
async function fillForm(model: LanguageModel, question: Question): Promise<Filled> {
  if (question.utterances.length === 0) return { filled: null, why: 'Nothing was said in the recording' }
  try {
    return { filled: await askForCallInsights(model, question), why: null }
  } catch (error) {
    const isAboutThisCall = error instanceof AppError && (error.reason === 'PROVIDER_ANSWER_INVALID' || error.reason === 'PROVIDER_REFUSED')
    if (!isAboutThisCall) throw error
    return { filled: null, why: error.message }
  }
}

function summaryOf(bySpeech: string | null, byModel: string | null): Pick<RecordingAnalysis, 'summary' | 'summaryFrom'> {
  if (bySpeech !== null) return { summary: bySpeech, summaryFrom: 'SPEECH' }
  const summary = plainText(byModel ?? '', 1_200)
  return summary === '' ? { summary: null, summaryFrom: null } : { summary, summaryFrom: 'MODEL' }
}

type Gaps = { readonly why: string | null; readonly named: readonly NamedSpeaker[]; readonly hasSummary: boolean }

function missingParts(missing: readonly MissingPart[], { why, named, hasSummary }: Gaps): MissingPart[] {
  const unnamed = named.length === 0 || named.some(({ role }) => role === 'UNKNOWN')
  return [
    ...missing.filter(({ part }) => part !== 'SUMMARY' || !hasSummary),
    ...(unnamed ? [{ part: 'SPEAKERS', why: why ?? 'The conversation does not show who each speaker is' } as const] : []),
    ...(why === null ? [] : [{ part: 'INSIGHTS', why } as const]),
  ]
}

function nameOf(
  named: readonly NamedSpeaker[],
  speaker: number,
): Omit<RecordingAnalysis['speakers'][number], 'talkSeconds' | 'talkShare' | 'longestMonologueSeconds' | 'interruptions'> {
  const { role, namedBy, evidence } = named.find((candidate) => candidate.speaker === speaker) ?? {
    role: 'UNKNOWN',
    namedBy: null,
    evidence: [],
  }
  return { speaker, role, namedBy, evidence: [...evidence] }
}
