import { invalidInput } from '../../../kernel/errors.ts'
import { type Word, wordsIn } from '../../../kernel/words.ts'

/** Words that follow one another; a word alone is a phrase too. */
export type Phrase = readonly string[]

const quoted = /["“”„«»]([^"“”„«»]*)["“”„«»]/g
const maxWords = 20

/** What a person wrote into a search field: words, and "phrases in quotes". A quote without its end means nothing. Throws INVALID_INPUT. */
export function phrasesIn(text: string): readonly Phrase[] {
  const inQuotes = [...text.matchAll(quoted)].map(([, phrase = '']) => plain(phrase))
  const alone = plain(text.replaceAll(quoted, ' ')).map((word) => [word])
  const phrases = [...inQuotes.filter((phrase) => phrase.length > 0), ...alone]
  if (phrases.length === 0 && text.trim() !== '') throw invalidInput('text', 'must have a letter or a digit')
  if (phrases.flat().length > maxWords) throw invalidInput('text', `must have at most ${maxWords} words`)
  return phrases
}

/** Where a phrase is in a text, in UTF-16 code units, the end excluded. */
export type Place = { readonly from: number; readonly to: number }

/** All places of a phrase in the words of a text. */
export function placesOf(phrase: Phrase, words: readonly Word[]): readonly Place[] {
  return words.flatMap(({ from }, start) => {
    const last = words[start + phrase.length - 1]
    const fits = last && phrase.every((word, offset) => words[start + offset]?.word === word)
    return fits ? [{ from, to: last.to }] : []
  })
}

function plain(text: string): readonly string[] {
  return wordsIn(text).map(({ word }) => word)
}
