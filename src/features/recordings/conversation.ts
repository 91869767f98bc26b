/** Uninterrupted speech of one speaker; seconds from the beginning of the recording. */
export type SpeechSegment = { readonly speaker: number; readonly start: number; readonly end: number }

export type SpeakerShare = {
  readonly speaker: number
  readonly talkSeconds: number
  /** Of the talk time of all speakers: 0 to 1. */
  readonly talkShare: number
  /** The longest time that the speaker spoke before somebody else took over. */
  readonly longestMonologueSeconds: number
  /** How often the speaker interrupted somebody. */
  readonly interruptions: number
}

export type Conversation = {
  readonly speakers: readonly SpeakerShare[]
  /** Nobody spoke; includes the time before the first word and after the last. */
  readonly silenceSeconds: number
  readonly longestSilenceSeconds: number
}

/** A shorter overlap is normal when people alternate. */
const leastOverlapSeconds = 0.3

/**
 * Shares, silences and interruptions of a conversation. An interruption: somebody begins while another speaks, and continues after the
 * other has stopped. An "mm-hm" during the other's speech is none.
 */
export function describeConversation(segments: readonly SpeechSegment[], durationSeconds: number): Conversation {
  const ordered = segments.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start || a.end - b.end)
  const numbers = [...new Set(ordered.map(({ speaker }) => speaker))].toSorted((a, b) => a - b)
  const talkSeconds = numbers.map((speaker) => spokenSeconds(ordered.filter((segment) => segment.speaker === speaker)))
  const all = talkSeconds.reduce((sum, seconds) => sum + seconds, 0)
  const silences = silencesIn(ordered, durationSeconds)
  return {
    speakers: numbers.map((speaker, index) => ({
      speaker,
      talkSeconds: rounded(talkSeconds[index] ?? 0),
      talkShare: all === 0 ? 0 : rounded((talkSeconds[index] ?? 0) / all),
      longestMonologueSeconds: rounded(longestMonologue(ordered, speaker)),
      interruptions: interruptionsBy(ordered, speaker),
    })),
    silenceSeconds: rounded(silences.reduce((sum, seconds) => sum + seconds, 0)),
    longestSilenceSeconds: rounded(Math.max(0, ...silences)),
  }
}

/** Overlapping segments count once. */
function spokenSeconds(segments: readonly SpeechSegment[]): number {
  let seconds = 0
  let until = Number.NEGATIVE_INFINITY
  for (const { start, end } of segments) {
    seconds += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return seconds
}

/** Consecutive segments of one speaker with their pauses; speech of another that ends within a segment does not end the monologue. */
function longestMonologue(segments: readonly SpeechSegment[], speaker: number): number {
  let longest = 0
  let from: number | null = null
  let until = 0
  for (const { speaker: other, start, end } of segments) {
    if (other === speaker) {
      until = from === null ? end : Math.max(until, end)
      from ??= start
      longest = Math.max(longest, until - from)
    } else if (end > until) from = null
  }
  return longest
}

function interruptionsBy(segments: readonly SpeechSegment[], speaker: number): number {
  return segments.filter(
    (segment) =>
      segment.speaker === speaker &&
      segments.some(
        (other) =>
          other.speaker !== speaker &&
          other.start < segment.start &&
          rounded(other.end - segment.start) >= leastOverlapSeconds &&
          segment.end > other.end,
      ),
  ).length
}

function silencesIn(segments: readonly SpeechSegment[], durationSeconds: number): readonly number[] {
  const silences: number[] = []
  let until = 0
  for (const { start, end } of segments) {
    if (start > until) silences.push(start - until)
    until = Math.max(until, end)
  }
  if (durationSeconds > until) silences.push(durationSeconds - until)
  return silences
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
