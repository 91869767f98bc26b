import { createHash } from 'node:crypto'
import { type CallScript, scriptNamed, scripts } from './scripts.ts'
import { rounded, type TimedUtterance, timedUtterances } from './timing.ts'
import { isLoud, type WaveFacts } from './wave.ts'

/** What was understood of a recording. */
export type Recognition = {
  readonly language: string
  readonly seconds: number
  readonly topics: readonly string[]
  readonly utterances: readonly TimedUtterance[]
}

/** Talks that are known besides the scripts, by the SHA-256 of the recording's bytes. */
export type TalkBook = Map<string, { readonly script: CallScript; readonly utterances: readonly TimedUtterance[] }>

/**
 * Known recordings are recognised word for word: by their bytes, or by the title in their INFO chunk. In other sounds some script is recognised,
 * stretched to their length; in silence nothing.
 */
export function recognise(bytes: Buffer, wave: WaveFacts, book: TalkBook): Recognition {
  const digest = createHash('sha256').update(bytes).digest('hex')
  const named = wave.title === null ? undefined : scriptNamed(wave.title)
  const known = book.get(digest) ?? (named && { script: named, utterances: timedUtterances(named) })
  if (known) return { language: known.script.language, topics: known.script.topics, seconds: wave.seconds, utterances: known.utterances }
  if (isSilent(wave.samples)) return { language: 'en', topics: [], seconds: wave.seconds, utterances: [] }
  const english = scripts.filter((script) => script.language === 'en')
  const script = english[Number.parseInt(digest.slice(0, 6), 16) % english.length] ?? scripts[0]
  return script
    ? {
        language: script.language,
        topics: script.topics,
        seconds: wave.seconds,
        utterances: stretched(timedUtterances(script), wave.seconds),
      }
    : { language: 'en', topics: [], seconds: wave.seconds, utterances: [] }
}

function stretched(utterances: readonly TimedUtterance[], seconds: number): readonly TimedUtterance[] {
  const factor = seconds / (utterances.at(-1)?.end ?? seconds)
  const scale = <T extends { start: number; end: number }>(part: T): T => ({
    ...part,
    start: rounded(part.start * factor),
    end: rounded(part.end * factor),
  })
  return utterances.map((utterance) => ({ ...scale(utterance), words: utterance.words.map((word) => scale(word)) }))
}

/** Judged by the loudest of the samples, read as 16 bit. */
function isSilent(samples: Buffer): boolean {
  for (let at = 0; at + 1 < samples.length; at += 2) if (isLoud(samples, at)) return false
  return true
}
