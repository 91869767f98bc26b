import type { Use } from './daily-budget.ts'
import type { WaitingRecording } from './waiting-recordings.ts'

/** The form, the rules and the doctors. */
const tokensOfEach = 3_000
/** The transcript with its marks. Tokens that are not used go back. */
const tokensPerSecond = 8

/** What an analysis is expected to use, before its recording is known. */
export function needOf({ seconds }: Pick<WaitingRecording, 'seconds'>): Use {
  return { seconds, tokens: tokensOfEach + Math.ceil(seconds) * tokensPerSecond }
}
