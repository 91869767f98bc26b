import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { Doctor } from '../../ports/doctors.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { plainText } from '../../ports/insight.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { RecordingAnalysis } from './analysis.ts'
import { askForCallInsights, type InsightsAnswer } from './ask-insights.ts'
import { checkCitations } from './check-citations.ts'
import { describeConversation } from './conversation.ts'
import { analysisKeptMs, type CallKey, type KeptAnalyses, type KeptTranscript } from './stored-analyses.ts'
import { nameByChannel, nameByModel, nameNobody, roleIn, type NamedSpeaker } from './name-speakers.ts'
import { type LookedAt, mostRecordingBytes, type RecordingSource } from '../../ports/recording-source.ts'
import type { HeldRun } from './run-lock.ts'
import type { Audio, MissingPart, Speech } from '../../ports/speech.ts'
import { numberUtterances } from './transcript.ts'
import { untilStored } from './until-stored.ts'

export type AnalyseRecordingDeps = {
  readonly source: RecordingSource
  /** Throws NOT_CONFIGURED where none is set up. */
  readonly speechOf: () => Speech
  readonly languageModelOf: (workspaceId: string) => Promise<LanguageModel>
  readonly configuration: Configuration
  readonly knownDoctors: (workspaceId: string) => Promise<readonly Doctor[]>
  readonly kept: KeptAnalyses
  readonly clock: Clock
}

/** A call's recording to be analysed. */
export type RecordingOfCall = CallKey & { readonly url: string; readonly agentId: string | null }

/**
 * Hears a recording and understands it: source -> speech -> language model -> kept. What was heard is kept apart from what was made of it,
 * so that a run that takes over, or comes again after the model was away, does not hear it twice. Errors: those of the ports; a model that
 * gives no usable answer, or refuses the content, leaves an analysis without insights that says so.
 */
export function createAnalyseRecording(deps: AnalyseRecordingDeps) {
  return async (recording: RecordingOfCall, run: HeldRun, signal: AbortSignal): Promise<RecordingAnalysis> => {
    // Both are asked for first: nothing is paid for where a key is missing.
    const model = await deps.languageModelOf(recording.workspaceId)
    const heard = await hear(deps, { recording, speech: deps.speechOf(), run, signal })
    const analysis = await understand(deps, { recording, heard, model, signal })
    if (signal.aborted) throw signal.reason
    await untilStored(() => deps.kept.write(recording, analysis), { signal })
    await deps.kept.dropTranscript(recording).catch(() => false)
    return analysis
  }
}

type Hearing = { readonly recording: RecordingOfCall; readonly speech: Speech; readonly run: HeldRun; readonly signal: AbortSignal }

async function hear({ source, kept }: AnalyseRecordingDeps, { recording, speech, run, signal }: Hearing): Promise<KeptTranscript> {
  const sourceHash = hashOf(recording.url)
  const before = await untilStored(() => kept.readTranscript(recording), { signal })
  if (before?.sourceHash === sourceHash) {
    await run.reach('TRANSCRIBED')
    return before
  }
  const { workspaceId, url } = recording
  const found = await source.look({ workspaceId, url, signal })
  await run.reach('FETCHED')
  const twoChannels = found.channels === 2
  const audio = audioOf(source, { workspaceId, found, speech })
  const heard = { sourceHash, twoChannels, transcript: await speech.transcribe({ audio, twoChannels, signal }) }
  await untilStored(() => kept.writeTranscript(recording, heard), { signal })
  await run.reach('TRANSCRIBED')
  return heard
}

/** By address where the provider can go there by itself; else the bytes go through here, never whole in memory. */
function audioOf(source: RecordingSource, { workspaceId, found, speech }: { workspaceId: string; found: LookedAt; speech: Speech }): Audio {
  const { url, contentType, needsCredentials, isInside } = found
  if (!needsCredentials && (!isInside || speech.isInside)) return { kind: 'ADDRESS', url }
  return { kind: 'BYTES', contentType, open: async (signal) => capped((await source.open({ workspaceId, url, signal }, {})).body) }
}

async function* capped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > mostRecordingBytes) throw invalidInput('recordingUrl', 'names a recording of more than 2 GB')
    yield chunk
  }
}

type Understanding = {
  readonly recording: RecordingOfCall
  readonly heard: KeptTranscript
  readonly model: LanguageModel
  readonly signal: AbortSignal
}

async function understand({ configuration, knownDoctors, clock }: AnalyseRecordingDeps, asked: Understanding): Promise<RecordingAnalysis> {
  const { recording, heard, model, signal } = asked
  const { transcript, twoChannels } = heard
  const [{ recordings }, doctors] = await Promise.all([
    configuration.read(recording.workspaceId, 'ai'),
    knownDoctors(recording.workspaceId),
  ])
  const utterances = numberUtterances(transcript.utterances, { twoChannels })
  const rules = recordings.complianceRules
  const answer = await filledForm(model, { utterances, rules, doctors, mask: recordings.maskPersonalData, signal })
  const form = answer.filled?.form ?? null
  const named = twoChannels
    ? nameByChannel(utterances, recordings.agentChannel === 'FIRST' ? 0 : 1)
    : form
      ? nameByModel(utterances, form.speakers)
      : nameNobody(utterances)
  const conversation = describeConversation(utterances, transcript.durationSeconds)
  const now = clock.now()
  return {
    callId: recording.callId,
    agentId: recording.agentId,
    language: transcript.language,
    durationSeconds: transcript.durationSeconds,
    ...summaryOf(transcript.summary, form?.summary ?? null),
    topics: [...(transcript.topics ?? [])],
    sentiment: transcript.sentiment && { average: transcript.sentiment.average, timeline: [...transcript.sentiment.timeline] },
    speakers: conversation.speakers.map((share) => ({ ...share, ...nameOf(named, share.speaker) })),
    silenceSeconds: conversation.silenceSeconds,
    longestSilenceSeconds: conversation.longestSilenceSeconds,
    utterances: utterances.map((utterance) => ({ ...utterance, role: roleIn(named, utterance.speaker) })),
    insights: form && checkCitations(form, rules, utterances),
    missing: missingParts(transcript.missing, { why: answer.why, named, hasSummary: transcript.summary !== null || form !== null }),
    model: { speech: transcript.model, language: answer.filled?.model ?? null },
    tokens: answer.filled?.tokens ?? { input: 0, output: 0 },
    sourceHash: heard.sourceHash,
    analyzedAt: isoMoment(now),
    expiresAt: isoMoment(now + analysisKeptMs),
  }
}

type Filled = { readonly filled: InsightsAnswer | null; readonly why: string | null }
type Question = Parameters<typeof askForCallInsights>[1]

/** An answer that cannot be used, or a refusal of the content, does not take the rest away; whatever passes is thrown. */
async function filledForm(model: LanguageModel, question: Question): Promise<Filled> {
  if (question.utterances.length === 0) return { filled: null, why: 'Nothing was said in the recording' }
  try {
    return { filled: await askForCallInsights(model, question), why: null }
  } catch (error) {
    const reason = error instanceof AppError ? error.reason : null
    if (reason === 'PROVIDER_ANSWER_INVALID') return { filled: null, why: 'The language model twice gave an answer that does not fit' }
    if (reason === 'PROVIDER_REFUSED') return { filled: null, why: 'The language model refused the content' }
    throw error
  }
}

function summaryOf(heard: string | null, written: string | null): Pick<RecordingAnalysis, 'summary' | 'summaryFrom'> {
  if (heard !== null) return { summary: heard, summaryFrom: 'SPEECH' }
  const summary = plainText(written ?? '', 1_200)
  return summary === '' ? { summary: null, summaryFrom: null } : { summary, summaryFrom: 'MODEL' }
}

type Gaps = { readonly why: string | null; readonly named: readonly NamedSpeaker[]; readonly hasSummary: boolean }

function missingParts(heard: readonly MissingPart[], { why, named, hasSummary }: Gaps): MissingPart[] {
  const unnamed = named.length === 0 || named.some(({ role }) => role === 'UNKNOWN')
  return [
    ...heard.filter(({ part }) => part !== 'SUMMARY' || !hasSummary),
    ...(unnamed ? [{ part: 'SPEAKERS', why: why ?? 'It is not clear from the talk who everybody is' } as const] : []),
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
