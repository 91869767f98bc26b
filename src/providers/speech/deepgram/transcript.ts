import type { MissingPart, Sentiment, SentimentName, Transcript } from '../../../ports/speech.ts'
import type { ListenAnswer } from './wire.ts'

type Asked = { readonly withSummary: boolean }

const names: Readonly<Record<'positive' | 'neutral' | 'negative', SentimentName>> = {
  positive: 'POSITIVE',
  neutral: 'NEUTRAL',
  negative: 'NEGATIVE',
}

/** The provider's answer as a transcript. `withSummary`: whether a summary was requested. */
export function transcriptOf({ metadata, results }: ListenAnswer, { withSummary }: Asked): Transcript {
  const language = results.channels[0]?.detected_language ?? null
  const topics = results.topics && bestOfEach(results.topics.segments.flatMap((segment) => segment.topics))
  const sentiment = sentimentOf(results)
  const summary = withSummary ? (results.summary?.short ?? null) : null
  const why = (parameter: string): string => whyMissing(metadata.warnings ?? [], parameter, language)
  const missing: readonly (MissingPart | null)[] = [
    summary === null ? { part: 'SUMMARY', why: why('summarize') } : null,
    topics ? null : { part: 'TOPICS', why: why('topics') },
    sentiment ? null : { part: 'SENTIMENT', why: why('sentiment') },
  ]
  return {
    language,
    durationSeconds: metadata.duration,
    channels: results.channels.length,
    model: modelOf(metadata),
    summary,
    topics: topics ?? null,
    sentiment,
    utterances: (results.utterances ?? []).map(({ start, end, channel, speaker, transcript }) => ({
      start,
      end,
      channel,
      speaker: speaker ?? null,
      text: transcript,
    })),
    missing: missing.filter((part) => part !== null),
  }
}

/** The provider omits parts that it offers only for English, with a warning. */
function whyMissing(warnings: readonly { parameter: string; message: string }[], parameter: string, language: string | null): string {
  const isEnglish = language === null || language.startsWith('en')
  if (!isEnglish) return `The speech provider offers this only for English; the recording is in "${language}"`
  const warned = warnings.some((warning) => warning.parameter.startsWith(parameter))
  return warned ? 'The speech provider omitted it, with a warning' : 'The speech provider gave none'
}

function modelOf({ models, model_info: info }: ListenAnswer['metadata']): string {
  return info[models[0] ?? '']?.name ?? 'unknown'
}

function bestOfEach(found: readonly { topic: string; confidence_score: number }[]): Transcript['topics'] {
  const best = new Map<string, number>()
  for (const { topic, confidence_score: score } of found) best.set(topic, Math.max(score, best.get(topic) ?? 0))
  return [...best].map(([topic, confidence]) => ({ topic, confidence })).toSorted((a, b) => b.confidence - a.confidence)
}

/** Segments refer to words by index; the words of the first channel have the times. */
function sentimentOf({ channels, sentiments }: ListenAnswer['results']): Sentiment | null {
  if (!sentiments?.average) return null
  const words = channels[0]?.alternatives[0]?.words ?? []
  const timeline = sentiments.segments.flatMap(({ start_word: from, end_word: to, sentiment, sentiment_score: score }) => {
    const [first, last] = [words[from], words[Math.min(to, words.length - 1)]]
    return first && last ? [{ start: first.start, end: last.end, sentiment: names[sentiment], score }] : []
  })
  return { average: { sentiment: names[sentiments.average.sentiment], score: sentiments.average.sentiment_score }, timeline }
}
