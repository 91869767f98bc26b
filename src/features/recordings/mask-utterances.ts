import { maskPersonalData } from './mask-personal-data.ts'

type Spoken = { readonly id: string; readonly speaker: number; readonly text: string }

/** Hides personal data. By speaker: a number that somebody reads out continues after the other's "yes". */
export function maskUtterances<Utterance extends Spoken>(utterances: readonly Utterance[]): readonly Utterance[] {
  const hidden = new Map<string, string>()
  for (const lines of Map.groupBy(utterances, ({ speaker }) => speaker).values()) {
    const texts = maskPersonalData(lines.map(({ text }) => text))
    for (const [index, { id }] of lines.entries()) hidden.set(id, texts[index] ?? '')
  }
  return utterances.map((utterance) => ({ ...utterance, text: hidden.get(utterance.id) ?? '' }))
}
