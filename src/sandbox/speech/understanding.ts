import type { Recognition } from './recognition.ts'

const pleased = /\b(?:thank|thanks|great|wonderful|perfect|helpful|kind|relief|glad|good|right|okay|welcome|safely)\b/gi
const displeased =
  /\b(?:wrong|unhappy|complain|complaint|terrible|pain|refused|waited|nobody|never|sorry|worse|discomfort|forgot|mistake)\b/gi

/** Below this many words the provider's summary is the text itself. */
const shortWords = 50

/** -1 to 1, by pleased and displeased words. */
export function sentimentOf(text: string): number {
  const [good, bad] = [pleased, displeased].map((words) => text.match(words)?.length ?? 0)
  const [up = 0, down = 0] = [good, bad]
  return up + down === 0 ? 0 : Math.round(((up - down) / (up + down)) * 0.8 * 1_000) / 1_000
}

export function sentimentName(score: number): 'positive' | 'neutral' | 'negative' {
  if (score > 1 / 3) return 'positive'
  return score < -1 / 3 ? 'negative' : 'neutral'
}

/** What the caller wanted and how it ended. */
export function summaryOf(recognised: Recognition): string {
  const text = recognised.utterances.map(({ line }) => line.text).join(' ')
  if (text.split(/\s+/).length < shortWords) return text
  const longest = (speaker: 'AGENT' | 'CUSTOMER'): string =>
    recognised.utterances
      .filter(({ line }) => line.speaker === speaker)
      .reduce((best, { line }) => (line.text.length > best.length ? line.text : best), '')
  const subject = recognised.topics.length > 0 ? ` about ${recognised.topics.join(' and ').toLowerCase()}` : ''
  return `A customer calls the hospital${subject}. The customer says: "${longest('CUSTOMER')}" The agent answers: "${longest('AGENT')}"`
}
