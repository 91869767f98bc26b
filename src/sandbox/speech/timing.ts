import type { CallScript, ScriptLine } from './scripts.ts'

export type TimedWord = { readonly word: string; readonly start: number; readonly end: number; readonly speaker: number }
/** A utterance with its words at the moments (seconds) at which they are said. Speaker 0 is who speaks first. */
export type TimedUtterance = {
  readonly line: ScriptLine
  readonly speaker: number
  readonly start: number
  readonly end: number
  readonly words: readonly TimedWord[]
}

const secondsPerCharacter = 0.055
const secondsPerWord = 0.09
const pauseSeconds = 0.6

/** The times of the utterances in a scripted call. The recording, the transcript and the tests share them. */
export function timedUtterances(script: CallScript): readonly TimedUtterance[] {
  const speakers = [...new Set(script.utterances.map((utterance) => utterance.speaker))]
  let at = 0.4
  return script.utterances.map((utterance) => {
    const speaker = speakers.indexOf(utterance.speaker)
    const words = utterance.text.split(/\s+/).map((word): TimedWord => {
      const start = at
      at = rounded(at + secondsPerWord + word.length * secondsPerCharacter)
      return { word, start, end: rounded(at - 0.02), speaker }
    })
    const timed = { line: utterance, speaker, start: words[0]?.start ?? at, end: words.at(-1)?.end ?? at, words }
    at = rounded(at + pauseSeconds)
    return timed
  })
}

export function rounded(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000
}
