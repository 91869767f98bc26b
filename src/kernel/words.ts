/** A word of a text: how it is compared, and where it is (UTF-16 code units, the end excluded). */
export type Word = { readonly word: string; readonly from: number; readonly to: number }

/** Letters, marks (the vowel signs of Indian scripts), digits, and the invisible joiners inside words of these scripts. */
const wordForm = /[\p{L}\p{M}\p{N}\u200c\u200d]+/gu
const asciiOnly = /^[\0-\x7f]*$/
const maxLength = 64

/**
 * The words of a text, without case and accents: "Café" and "CAFE" are the same word. Vowel signs of other scripts are part of their words.
 * A word consists of letters, marks and digits only, so it never means anything to a query language.
 */
export function wordsIn(text: string): readonly Word[] {
  const words: Word[] = []
  for (const { 0: found, index } of text.matchAll(wordForm)) {
    const word = compared(found)
    if (word !== '') words.push({ word, from: index, to: index + found.length })
  }
  return words
}

function compared(found: string): string {
  const lower = found.slice(0, maxLength).toLowerCase()
  if (asciiOnly.test(lower)) return lower
  const plain = lower
    .toWellFormed()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
  return plain.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
}
