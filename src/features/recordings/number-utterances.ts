import type { SpokenUtterance } from '../../ports/speech.ts'

/** An utterance with the id by which it is cited: `u1`, `u2`, ... in the order of their start. Seconds count from the recording's beginning. */
export type Utterance = {
  readonly id: string
  readonly speaker: number
  readonly start: number
  readonly end: number
  readonly text: string
}

/** With two channels each speaker has one, and the speaker's number is the channel's. */
export function numberUtterances(spoken: readonly SpokenUtterance[], { twoChannels }: { twoChannels: boolean }): readonly Utterance[] {
  const ordered = spoken.filter(({ text }) => text.trim() !== '').toSorted((a, b) => a.start - b.start)
  return ordered.map(({ start, end, text, channel, speaker }, index) => ({
    id: `u${index + 1}`,
    speaker: twoChannels ? channel : (speaker ?? 0),
    start,
    end: Math.max(start, end),
    text: text.trim(),
  }))
}
