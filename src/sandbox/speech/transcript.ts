import { createHash } from 'node:crypto'
import { derivedId } from '../ids.ts'
import type { Heard } from './heard.ts'
import type { TimedTurn, TimedWord } from './timing.ts'
import { sentimentOf, sentimentName, summaryOf } from './understanding.ts'

/** What the caller asked for in the query. */
export type Wanted = {
  readonly model: string
  readonly diarize: boolean
  readonly utterances: boolean
  readonly summarize: boolean
  readonly topics: boolean
  readonly sentiment: boolean
  readonly detectLanguage: boolean
}

export type Transcription = {
  readonly heard: Heard
  readonly bytes: Buffer
  readonly wanted: Wanted
  readonly requestId: string
  readonly now: number
}

const modelId = derivedId('sandbox speech model')

/** The answer of `/v1/listen`. What exists for English alone is left out for other languages, with a warning. */
export function transcription(asked: Transcription): Record<string, unknown> {
  const { heard, wanted } = asked
  const english = heard.language === 'en'
  const words = heard.turns.flatMap((turn) => turn.words)
  const results = {
    channels: [
      {
        alternatives: [alternative(heard, wanted)],
        ...(wanted.detectLanguage ? { detected_language: heard.language, language_confidence: 0.98 } : {}),
      },
    ],
    ...(wanted.utterances ? { utterances: heard.turns.map((turn, index) => utterance(turn, { index, asked })) } : {}),
    ...(wanted.summarize ? { summary: { result: 'success', short: summaryOf(heard) } } : {}),
    ...(wanted.topics && english ? { topics: topicsOf(heard, words) } : {}),
    ...(wanted.sentiment && english ? { sentiments: sentimentsOf(heard) } : {}),
  }
  return { metadata: metadata(asked), results }
}

function metadata({ heard, bytes, wanted, requestId, now }: Transcription): Record<string, unknown> {
  const missing = heard.language === 'en' ? [] : (['topics', 'sentiment'] as const).filter((name) => wanted[name])
  const warnings = missing.map((parameter) => ({
    parameter,
    type: 'unsupported_language',
    message: `${parameter} is only available for English; the language of this request is ${heard.language}`,
  }))
  return {
    transaction_key: 'deprecated',
    request_id: requestId,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    created: new Date(now).toISOString(),
    duration: heard.seconds,
    channels: 1,
    models: [modelId],
    model_info: { [modelId]: { name: `general-${wanted.model}`, version: '2025-04-17.0', arch: wanted.model } },
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

function alternative(heard: Heard, wanted: Wanted): Record<string, unknown> {
  const words = heard.turns.flatMap((turn) => turn.words)
  const transcript = heard.turns.map((turn) => turn.turn.text).join(' ')
  return { transcript, confidence: words.length > 0 ? 0.97 : 0, words: words.map((word, index) => wireWord(word, { index, wanted })) }
}

function wireWord({ word, start, end, speaker }: TimedWord, { index, wanted }: { index: number; wanted: Wanted }): Record<string, unknown> {
  const plain = word.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}']/gu, '')
  const confidence = (90 + ((index * 7) % 10)) / 100
  return { word: plain, start, end, confidence, punctuated_word: word, ...(wanted.diarize ? { speaker, speaker_confidence: 0.8 } : {}) }
}

function utterance(turn: TimedTurn, { index, asked }: { index: number; asked: Transcription }): Record<string, unknown> {
  const { wanted, requestId } = asked
  return {
    start: turn.start,
    end: turn.end,
    confidence: 0.96,
    channel: 0,
    transcript: turn.turn.text,
    words: turn.words.map((word, position) => wireWord(word, { index: position, wanted })),
    ...(wanted.diarize ? { speaker: turn.speaker } : {}),
    id: derivedId(requestId, String(index)),
  }
}

function topicsOf(heard: Heard, words: readonly TimedWord[]): Record<string, unknown> {
  if (heard.topics.length === 0) return { segments: [] }
  const topics = heard.topics.map((topic, index) => ({ topic, confidence_score: Math.max(0.5, 0.95 - index * 0.1) }))
  const text = heard.turns.map((turn) => turn.turn.text).join(' ')
  return { segments: [{ text, start_word: 0, end_word: Math.max(0, words.length - 1), topics }] }
}

function sentimentsOf(heard: Heard): Record<string, unknown> {
  let word = 0
  const segments = heard.turns.map((turn) => {
    const score = sentimentOf(turn.turn.text)
    const segment = {
      text: turn.turn.text,
      start_word: word,
      end_word: word + turn.words.length - 1,
      sentiment: sentimentName(score),
      sentiment_score: score,
    }
    word += turn.words.length
    return segment
  })
  const sum = segments.reduce((total, segment) => total + segment.sentiment_score, 0)
  const score = segments.length > 0 ? sum / segments.length : 0
  return { segments, average: { sentiment: sentimentName(score), sentiment_score: score } }
}
