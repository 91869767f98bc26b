import { objectOf } from './schema-parts.ts'

/** The material in a prompt: the delimited data if there is any, else the user's message. */
export type Material = {
  readonly text: string
  readonly sentences: readonly string[]
  /** Records that tools have shown, newest first. */
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

const wordsOnly = /[^\p{L}\p{N}]+/u
const idleWords = new Set(
  'a an and are as at be by for from has have he her his i if in is it its me my no not of on or our she that the their them they this to us was we were what will with you your'.split(
    ' ',
  ),
)

/** Text between tags such as `<transcript>`, or in fences, but not a failed answer that is shown again; the whole text if there is none. */
export function dataOf(prompt: string): string {
  const tagged = [...prompt.matchAll(/<([a-zA-Z][\w-]*)(\s[^>]*)?>([\s\S]*?)<\/\1>/g)]
    .filter((match) => !/answer|fault|error/i.test(match[2] ?? ''))
    .map((match) => match[3] ?? '')
  const fenced = [...prompt.matchAll(/(?:```\w*|""")\n?([\s\S]*?)(?:```|""")/g)].map((match) => match[1] ?? '')
  const found = [...tagged, ...fenced].filter((text) => text.trim() !== '')
  return (found.length > 0 ? found.join('\n') : prompt).trim()
}

export function materialOf(prompt: string, toolResults: readonly string[]): Material {
  const text = dataOf(prompt)
  const sentences = text
    .split('\n')
    .map(spoken)
    .join('\n')
    .split(/(?<=[.!?।])(?<!\b(?:Dr|Mr|Mrs|Ms)\.)\s+|\n+/)
    .map((sentence) => sentence.replaceAll(/<\/?[a-z][^<>]*>/gi, ' ').trim())
    .filter((sentence) => sentence.length > 1)
  return { text, sentences, records: toolResults.toReversed().flatMap((result) => recordsIn(result)) }
}

const unspokenName = /(^|[a-z])(id|Id|ID|At|Url)$|^(ucid|did)$/
const unspokenValue = /^[a-z]+:\/\/|^\+?\d{6,}$|^\d{4}-\d\d-\d\dT|^\S+@\S+$/i

/** A line that is a JSON record or a list of them, as a person would say it: a sentence for each record. */
function spoken(line: string): string {
  if (!/^\s*(?:\{|\[\{)/.test(line)) return line
  const value = parsed(line)
  if (value === null) return line
  return [value].flat().map(sentenceOf).join('\n')
}

/** Without identifiers, moments, addresses and numbers. */
function sentenceOf(record: unknown): string {
  const said = Object.entries(objectOf(record)).flatMap(([name, value]) => {
    if (typeof value !== 'string' || value === '' || unspokenName.test(name) || unspokenValue.test(value)) return []
    const words = value.replaceAll(/(?<=\w)[._](?=\w)/g, ' ').replace(/^[A-Z ]+$/, (choice) => choice.toLowerCase())
    return name === 'name' ? [words] : [`${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()} ${words}`]
  })
  return said.length === 0 ? '' : `${said.join(', ')}.`.replace(/^./u, (first) => first.toUpperCase())
}

/** Words that carry meaning, lower-case, cut to six letters so that "booking" meets "booked". */
export function stemsOf(text: string): readonly string[] {
  const spaced = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return spaced
    .split(wordsOnly)
    .filter((word) => word !== '' && !idleWords.has(word))
    .map((word) => word.slice(0, word.length > 6 ? 5 : 6))
}

/** How many different words of `words` occur in `text`. */
export function overlap(words: string, text: string): number {
  const present = new Set(stemsOf(text))
  return new Set(stemsOf(words).filter((stem) => present.has(stem))).size
}

/** The sentence that shares most words with `words`; null if no sentence shares any. */
export function sentenceAbout(material: Material, words: string): string | null {
  const rated = material.sentences.map((sentence) => ({ sentence, score: overlap(words, sentence) }))
  const best = rated.reduce((a, b) => (b.score > a.score ? b : a), { sentence: '', score: 0 })
  return best.score > 0 ? best.sentence : null
}

function recordsIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  return objectsOf(parsed(text))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function objectsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsOf(item))
  if (typeof value !== 'object' || value === null) return []
  const object: Readonly<Record<string, unknown>> = { ...value }
  return [object, ...Object.values(object).flatMap((item) => objectsOf(item))]
}
