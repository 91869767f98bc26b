import type { TranscriptQuery } from '../../ports/transcript-index.ts'
import type { IndexFile, StoredTranscript } from './sqlite-database.ts'

/** What the index is asked for. Times are epoch milliseconds; `deadlineAt` is one of `monotonicMs`. */
export type IndexRequest =
  | { readonly type: 'put'; readonly workspaceId: string; readonly transcript: StoredTranscript }
  | {
      readonly type: 'find'
      readonly workspaceId: string
      readonly query: TranscriptQuery
      readonly now: number
      readonly deadlineAt: number
    }
  | { readonly type: 'purge'; readonly now: number }
  | { readonly type: 'isFilled' }
  | { readonly type: 'markFilled' }

export type ToThread =
  | { readonly type: 'open'; readonly file: IndexFile }
  | { readonly type: 'request'; readonly id: number; readonly request: IndexRequest }
  | { readonly type: 'close' }

export type FromThread =
  | { readonly type: 'opened' }
  /** The file cannot be read; the thread ends. */
  | { readonly type: 'notOpened'; readonly why: string }
  | { readonly type: 'done'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly isTooLong: boolean; readonly cause: unknown }
