/**
 * Speech recognition: what was said in a recording, by whom and when. Moments are seconds from the beginning. One account of one
 * provider, from the environment.
 */
export interface Speech {
  /** Where the provider itself stands: whether it can fetch from private addresses. */
  readonly isInside: boolean

  /**
   * Transcribes a whole recording, within `speechDeadlineMs` or until `signal` aborts. Repeatable, but each time it costs. What the
   * provider cannot give for the language is null, and named in `missing`.
   *
   * Errors: INVALID_INPUT (no audio that can be read), NOT_FOUND (the provider cannot fetch the address), NOT_CONFIGURED (it refuses the
   * key, or the account has no credit: the detail says so), PROVIDER_UNAVAILABLE (with `data.retryAfterSeconds` where too many are under way),
   * PROVIDER_REFUSED, PROVIDER_ANSWER_INVALID, DEADLINE_PASSED.
   */
  transcribe(request: SpeechRequest): Promise<Transcript>
}

/** Ten minutes of work at the provider, and a minute for the way. */
export const speechDeadlineMs = 11 * 60_000

export type SpeechRequest = {
  readonly audio: Audio
  /** True where each speaker has a channel of their own. */
  readonly twoChannels: boolean
  readonly signal: AbortSignal
}

export type Audio =
  | { readonly kind: 'ADDRESS'; readonly url: string }
  /** `open` may be called again: a request may have to be repeated. */
  | { readonly kind: 'BYTES'; readonly contentType: string; readonly open: (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>> }

export type Transcript = {
  /** BCP 47, `en` or `hi`; null where the provider does not say. */
  readonly language: string | null
  readonly durationSeconds: number
  readonly model: string
  readonly summary: string | null
  readonly topics: readonly { readonly topic: string; readonly confidence: number }[] | null
  readonly sentiment: Sentiment | null
  /** By their beginning. */
  readonly utterances: readonly SpokenUtterance[]
  readonly missing: readonly MissingPart[]
}

export type SpokenUtterance = {
  readonly start: number
  readonly end: number
  readonly channel: number
  /** The provider's number of the voice within the channel; null where it does not tell voices apart. */
  readonly speaker: number | null
  readonly text: string
}

export const sentimentNames = ['POSITIVE', 'NEUTRAL', 'NEGATIVE'] as const
export type SentimentName = (typeof sentimentNames)[number]
/** Scores from -1 to 1. */
export type Sentiment = {
  readonly average: { readonly sentiment: SentimentName; readonly score: number }
  readonly timeline: readonly { readonly start: number; readonly end: number; readonly sentiment: SentimentName; readonly score: number }[]
}

export const partNames = ['SUMMARY', 'TOPICS', 'SENTIMENT', 'SPEAKERS', 'INSIGHTS'] as const
/** What an analysis lacks, and why in words for people. */
export type MissingPart = { readonly part: (typeof partNames)[number]; readonly why: string }
