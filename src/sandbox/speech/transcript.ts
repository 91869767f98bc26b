import { createHash } from 'node:crypto'
import { derivedId } from '../ids.ts'
import type { Recognition } from './recognition.ts'
import type { TimedUtterance, TimedWord } from './timing.ts'
import { sentimentOf, sentimentName, summaryOf } from './understanding.ts'

/** What the caller asked for in the query. */
export type Wanted = {
  readonly model: string
  readonly diarize: boolean
  readonly multichannel: boolean
  readonly utterances: boolean
  readonly summarize: boolean
  readonly topics: boolean
  readonly sentiment: boolean
  readonly detectLanguage: boolean
}

export type Transcription = {
  readonly recognised: Recognition
  /** Those that are transcribed apart, each with one speaker; 1: all speakers are in it. */
  readonly channels: number
  readonly bytes: Buffer
  readonly wanted: Wanted
  readonly requestId: string
  readonly now: number
}

const modelId = derivedId('sandbox speech model')

/** The answer of `/v1/listen`. What exists for English alone is left out for other languages, with a warning. */
export function transcription(asked: Transcription): Record<string, unknown> {
  const { recognised, channels, wanted } = asked
  const english = recognised.language === 'en'
  const words = recognised.utterances.flatMap((utterance) => utterance.words)
  const results = {
    channels: Array.from({ length: channels }, (...[, channel]) => ({
      alternatives: [alternative(asked, channel)],
      ...(wanted.detectLanguage ? { detected_language: recognised.language, language_confidence: 0.98 } : {}),
    })),
    ...(wanted.utterances
      ? { utterances: recognised.utterances.map((utterance, index) => wireUtterance(utterance, { index, asked })) }
      : {}),
    ...(wanted.summarize ? { summary: { result: 'success', short: summaryOf(recognised) } } : {}),
    ...(wanted.topics && english ? { topics: topicsOf(recognised, words) } : {}),
    ...(wanted.sentiment && english ? { sentiments: sentimentsOf(recognised) } : {}),
  }
  return { metadata: metadata(asked), results }
}

function metadata({ recognised, channels, bytes, wanted, requestId, now }: Transcription): Record<string, unknown> {
  const missing = recognised.language === 'en' ? [] : (['topics', 'sentiment'] as const).filter((name) => wanted[name])
  const warnings = missing.map((parameter) => ({
    parameter,
    type: 'unsupported_language',
    message: `${parameter} is only available for English; the language of this request is ${recognised.language}`,
  }))
  return {
    transaction_key: 'deprecated',
    request_id: requestId,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    created: new Date(now).toISOString(),
    duration: recognised.seconds,
    channels,
    models: [modelId],
    model_info: { [modelId]: { name: `general-${wanted.model}`, version: '2025-04-17.0', arch: wanted.model } },
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

function alternative({ recognised, channels, wanted }: Transcription, channel: number): Record<string, unknown> {
  const spoken = recognised.utterances.filter(({ speaker }) => channels === 1 || speaker === channel)
  const words = spoken.flatMap((utterance) => utterance.words)
  const transcript = spoken.map((utterance) => utterance.line.text).join(' ')
  return { transcript, confidence: words.length > 0 ? 0.97 : 0, words: words.map((word, index) => wireWord(word, { index, wanted })) }
}

function wireWord({ word, start, end, speaker }: TimedWord, { index, wanted }: { index: number; wanted: Wanted }): Record<string, unknown> {
  const plain = word.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}']/gu, '')
  const confidence = (90 + ((index * 7) % 10)) / 100
  return { word: plain, start, end, confidence, punctuated_word: word, ...(wanted.diarize ? { speaker, speaker_confidence: 0.8 } : {}) }
}

function wireUtterance(utterance: TimedUtterance, { index, asked }: { index: number; asked: Transcription }): Record<string, unknown> {
  const { channels, wanted, requestId } = asked
  return {
    start: utterance.start,
    end: utterance.end,
    confidence: 0.96,
    channel: channels === 1 ? 0 : utterance.speaker,
    transcript: utterance.line.text,
    words: utterance.words.map((word, position) => wireWord(word, { index: position, wanted })),
    ...(wanted.diarize ? { speaker: utterance.speaker } : {}),
    id: derivedId(requestId, String(index)),
  }
}

function topicsOf(recognised: Recognition, words: readonly TimedWord[]): Record<string, unknown> {
  if (recognised.topics.length === 0) return { segments: [] }
  const topics = recognised.topics.map((topic, index) => ({ topic, confidence_score: Math.max(0.5, 0.95 - index * 0.1) }))
  const text = recognised.utterances.map((utterance) => utterance.line.text).join(' ')
  return { segments: [{ text, start_word: 0, end_word: Math.max(0, words.length - 1), topics }] }
}

function sentimentsOf(recognised: Recognition): Record<string, unknown> {
  let word = 0
  const segments = recognised.utterances.map((utterance) => {
    const score = sentimentOf(utterance.line.text)
    const segment = {
      text: utterance.line.text,
      start_word: word,
      end_word: word + utterance.words.length - 1,
      sentiment: sentimentName(score),
      sentiment_score: score,
    }
    word += utterance.words.length
    return segment
  })
  const sum = segments.reduce((total, segment) => total + segment.sentiment_score, 0)
  const score = segments.length > 0 ? sum / segments.length : 0
  return { segments, average: { sentiment: sentimentName(score), sentiment_score: score } }
}
