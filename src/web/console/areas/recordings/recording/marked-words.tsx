import type { ReactNode } from 'react'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const sameCase = (word: string): string => word.normalize('NFKC').toLowerCase()

/** The words of a search, without its quotes. */
export function wordsOf(q = ''): ReadonlySet<string> {
  const words = [...segmenter.segment(q)].filter(({ isWordLike }) => isWordLike === true)
  return new Set(words.map(({ segment }) => sameCase(segment)))
}

/** The text with these words as `mark` elements. */
export function markedWords(text: string, words: ReadonlySet<string>): ReactNode {
  if (words.size === 0) return text
  return [...segmenter.segment(text)].map(({ segment, index }) =>
    words.has(sameCase(segment)) ? <mark key={index}>{segment}</mark> : segment,
  )
}
