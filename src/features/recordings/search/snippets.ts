import { wordsIn } from '../../../kernel/words.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'
import { type Phrase, type Place, placesOf } from './phrases.ts'

type Utterance = RecordingAnalysis['utterances'][number]

/** An utterance that has a phrase of the search, or a part of it. `highlights`: where the phrases are in `text`. */
export type Snippet = Omit<Utterance, 'text'> & { readonly text: string; readonly highlights: readonly Place[] }

const maxSnippets = 5
const maxText = 300
const before = 80

/** Null unless each phrase is in an utterance. `matches`: how many utterances have one; the first of them are the snippets. */
export function matchUtterances(
  utterances: readonly Utterance[],
  phrases: readonly Phrase[],
): { readonly matches: number; readonly snippets: readonly Snippet[] } | null {
  const missing = new Set(phrases)
  const found = utterances.flatMap((utterance) => {
    const words = wordsIn(utterance.text)
    const places = phrases.flatMap((phrase) => {
      const own = placesOf(phrase, words)
      if (own.length > 0) missing.delete(phrase)
      return own
    })
    return places.length === 0 ? [] : [{ utterance, places }]
  })
  if (missing.size > 0) return null
  return { matches: found.length, snippets: found.slice(0, maxSnippets).map(({ utterance, places }) => snippetOf(utterance, places)) }
}

function snippetOf(utterance: Utterance, places: readonly Place[]): Snippet {
  const { text } = utterance
  const highlights = merged(places)
  const first = highlights[0]?.from ?? 0
  const begin = text.length <= maxText || first <= before ? 0 : nextWord(text, first - before)
  const end = Math.min(text.length, begin + maxText)
  const shown = highlights.filter(({ to }) => to <= end).map(({ from, to }) => ({ from: from - begin, to: to - begin }))
  return { ...utterance, text: text.slice(begin, end).toWellFormed(), highlights: shown }
}

/** Where the word after this place begins. */
function nextWord(text: string, from: number): number {
  const space = text.indexOf(' ', from)
  return space === -1 || space > from + before ? from : space + 1
}

/** In their order, and those that overlap as one. */
function merged(places: readonly Place[]): readonly Place[] {
  const result: { from: number; to: number }[] = []
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else result.push({ from, to })
  }
  return result
}
