/** One stretch of speech of one speaker; seconds from the beginning of the call. */
export type Turn = { readonly speaker: number; readonly start: number; readonly end: number }

export type SpeakerShare = {
  readonly speaker: number
  readonly talkSeconds: number
  /** Of all that was said: 0 to 1. */
  readonly talkShare: number
  /** The longest that the speaker spoke while nobody else took over. */
  readonly longestMonologueSeconds: number
  /** How often the speaker cut somebody off. */
  readonly interruptions: number
}

export type Conversation = {
  readonly speakers: readonly SpeakerShare[]
  /** While nobody spoke, before the first word and after the last too. */
  readonly silenceSeconds: number
  readonly longestSilenceSeconds: number
}

/** The other had at least this much to say when cut off; less is how people take turns. */
const leastOverlapSeconds = 0.3

/**
 * How a talk went, from who spoke when. An interruption: somebody begins while another still speaks, and goes on after the other has
 * stopped; an "mm-hm" that ends while the other goes on is none.
 */
export function describeConversation(turns: readonly Turn[], durationSeconds: number): Conversation {
  const inOrder = turns.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start || a.end - b.end)
  const numbers = [...new Set(inOrder.map(({ speaker }) => speaker))].toSorted((a, b) => a - b)
  const talk = numbers.map((speaker) => spokenSeconds(inOrder.filter((turn) => turn.speaker === speaker)))
  const all = talk.reduce((sum, seconds) => sum + seconds, 0)
  const silences = silencesIn(inOrder, durationSeconds)
  return {
    speakers: numbers.map((speaker, index) => ({
      speaker,
      talkSeconds: rounded(talk[index] ?? 0),
      talkShare: all === 0 ? 0 : rounded((talk[index] ?? 0) / all),
      longestMonologueSeconds: rounded(longestMonologue(inOrder, speaker)),
      interruptions: interruptionsBy(inOrder, speaker),
    })),
    silenceSeconds: rounded(silences.reduce((sum, seconds) => sum + seconds, 0)),
    longestSilenceSeconds: rounded(Math.max(0, ...silences)),
  }
}

/** Stretches that overlap count once. */
function spokenSeconds(turns: readonly Turn[]): number {
  let seconds = 0
  let until = Number.NEGATIVE_INFINITY
  for (const { start, end } of turns) {
    seconds += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return seconds
}

/** Turns in a row of one speaker are one monologue, pauses within included; what another says meanwhile without taking over is in it. */
function longestMonologue(turns: readonly Turn[], speaker: number): number {
  let longest = 0
  let from: number | null = null
  let until = 0
  for (const { speaker: other, start, end } of turns) {
    if (other === speaker) {
      until = from === null ? end : Math.max(until, end)
      from ??= start
      longest = Math.max(longest, until - from)
    } else if (end > until) from = null
  }
  return longest
}

function interruptionsBy(turns: readonly Turn[], speaker: number): number {
  return turns.filter(
    (turn) =>
      turn.speaker === speaker &&
      turns.some(
        (other) =>
          other.speaker !== speaker &&
          other.start < turn.start &&
          rounded(other.end - turn.start) >= leastOverlapSeconds &&
          turn.end > other.end,
      ),
  ).length
}

function silencesIn(turns: readonly Turn[], durationSeconds: number): readonly number[] {
  const silences: number[] = []
  let until = 0
  for (const { start, end } of turns) {
    if (start > until) silences.push(start - until)
    until = Math.max(until, end)
  }
  if (durationSeconds > until) silences.push(durationSeconds - until)
  return silences
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
