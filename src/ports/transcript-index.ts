import { AppError } from '../kernel/errors.ts'

/**
 * Which analysed calls have which words: finds candidates, which the use case checks against the stored analyses. So an entry that is too old or
 * wrong shows nothing to anybody. It is derived data: if it is lost, it is filled again from the stored analyses. No method holds the event loop.
 * Errors of all methods: STORE_UNAVAILABLE.
 */
export interface TranscriptIndex {
  /** Replaces what is indexed of the call. Repeatable. If a workspace has more than `maxIndexedCalls`, its oldest calls leave the index. */
  put(workspaceId: string, transcript: IndexedTranscript): Promise<void>
  /**
   * Calls that have all facets, and all words of all phrases, newest first (then by call, the greatest first). None is missing; a call that has
   * the words of a phrase, but not one after another, may be among them. No call after its `expiresAt`. Errors: DEADLINE_PASSED after
   * `searchDeadlineMs`.
   */
  find(workspaceId: string, query: TranscriptQuery): Promise<readonly IndexedCall[]>
  /** Deletes some of the calls that have expired, with their words; true if there may be more. */
  purge(): Promise<boolean>
  /** False until `markFilled`: the analyses that are stored already are to be added. */
  isFilled(): Promise<boolean>
  markFilled(): Promise<void>
  close(): Promise<void>
}

/** `at`: when the call was, epoch milliseconds. */
export type IndexedCall = { readonly callId: string; readonly at: number }

export type IndexedTranscript = IndexedCall & {
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** The words of each utterance, as `wordsIn` gives them. */
  readonly utterances: readonly (readonly string[])[]
  /** What else a call can be found by, such as its agent: any texts. */
  readonly facets: readonly string[]
}

export type TranscriptQuery = {
  /** Words that follow one another in one utterance; a single word is a phrase too. */
  readonly phrases: readonly (readonly string[])[]
  readonly facets: readonly string[]
  /** Both ends included; epoch milliseconds. */
  readonly from: number | null
  readonly to: number | null
  /** The last call of the page before. */
  readonly before: IndexedCall | null
  readonly limit: number
}

/** It bounds the memory of Redis and the time of a search. */
export const maxIndexedCalls = 20_000

/** The longest that a search may take in the index, waiting for other searches included. */
export const searchDeadlineMs = 5_000

export function searchTooLong(deadlineMs: number): AppError {
  const detail = `The search took longer than ${deadlineMs / 1_000} seconds. Narrow it: a shorter time from \`from\` to \`to\`, an agent, or rarer words`
  return new AppError('DEADLINE_PASSED', { detail })
}
