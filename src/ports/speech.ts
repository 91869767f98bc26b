/**
 * Speech recognition with one account of one provider, from the environment. Times are seconds from the recording's beginning.
 */
export interface Speech {
  /** Whether the provider is in our private network, so that it can fetch from private addresses. */
  readonly isPrivate: boolean

  /**
   * Transcribes a whole recording, within `speechDeadlineMs` or until `signal` aborts. May be repeated, but each time costs. A part that the
   * provider does not offer for the language is null and listed in `missing`.
   *
   * Errors: INVALID_INPUT (no readable audio), NOT_FOUND (the provider cannot fetch the address), NOT_CONFIGURED (it refuses the
   * key, or the account has no credit: see the detail), PROVIDER_UNAVAILABLE (with `data.retryAfterSeconds` for a rate limit),
   * PROVIDER_REFUSED, PROVIDER_ANSWER_INVALID, DEADLINE_PASSED.
   */
  transcribe(request: SpeechRequest): Promise<Transcript>
}

/** Ten minutes at the provider, and a minute for the transfer. */
export const speechDeadlineMs = 11 * 60_000

export type SpeechRequest = {
  readonly audio: Audio
  /** True if each speaker has a channel, as the file says. */
  readonly twoChannels: boolean
  readonly signal: AbortSignal
}

export type Audio =
  | { readonly kind: 'ADDRESS'; readonly url: string }
  /** `open` may be called several times, because a request may be repeated. */
  | { readonly kind: 'BYTES'; readonly contentType: string; readonly open: (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>> }

export type Transcript = {
  /** BCP 47, for example `en` or `hi`; null if the provider does not report it. */
  readonly language: string | null
  readonly durationSeconds: number
  /** Those that were transcribed apart. */
  readonly channels: number
  readonly model: string
  readonly summary: string | null
  readonly topics: readonly { readonly topic: string; readonly confidence: number }[] | null
  readonly sentiment: Sentiment | null
  /** By start. */
  readonly utterances: readonly SpokenUtterance[]
  readonly missing: readonly MissingPart[]
}

export type SpokenUtterance = {
  readonly start: number
  readonly end: number
  readonly channel: number
  /** The provider's number of the voice within the channel; null if it does not distinguish voices. */
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
/** A part that an analysis does not have, and why, as a text for people. */
export type MissingPart = { readonly part: (typeof partNames)[number]; readonly why: string }
