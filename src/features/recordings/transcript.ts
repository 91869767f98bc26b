import type { SpokenUtterance } from '../../ports/speech.ts'

/** An utterance as everything here cites it: `u1`, `u2`, ... by its beginning, and one number for each voice. */
export type Utterance = {
  readonly id: string
  readonly speaker: number
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Speakers are counted from 0 over all channels: where each channel has one voice, the speaker is the channel. */
export function numberUtterances(spoken: readonly SpokenUtterance[], { twoChannels }: { twoChannels: boolean }): readonly Utterance[] {
  const inOrder = spoken.filter(({ text }) => text.trim() !== '').toSorted((a, b) => a.start - b.start)
  return inOrder.map(({ start, end, text, channel, speaker }, index) => ({
    id: `u${index + 1}`,
    speaker: twoChannels ? channel : (speaker ?? 0),
    start,
    end: Math.max(start, end),
    text: text.trim(),
  }))
}
