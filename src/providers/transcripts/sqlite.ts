import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { StartError } from '../../kernel/start-error.ts'
import { maxIndexedCalls, searchDeadlineMs, searchTooLong, type TranscriptIndex } from '../../ports/transcript-index.ts'
import { monotonicMs, SearchTooLong, textOf } from './sqlite-database.ts'
import { createIndexThread, type IndexThread } from './sqlite-thread.ts'
import type { IndexRequest } from './sqlite-messages.ts'

type IndexOptions = {
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  /** A test has fewer, and less. */
  readonly maxCalls?: number
  readonly deadlineMs?: number
  readonly memoryMb?: number
}

const foundReply = z.array(z.object({ callId: z.string(), at: z.number() }))

/**
 * The index in one file, `transcripts.db`, in the data directory, by the full-text search of SQLite (FTS5), on a thread of its own. Throws
 * StartError if the file cannot be read.
 */
export async function createSqliteTranscriptIndex({
  dataDir,
  clock,
  log,
  maxCalls = maxIndexedCalls,
  deadlineMs = searchDeadlineMs,
  memoryMb = 128,
}: IndexOptions): Promise<TranscriptIndex> {
  const thread = createIndexThread({ file: { dataDir, maxCalls }, memoryMb, log })
  await thread.open().catch((cause: unknown) => {
    const file = join(dataDir, 'transcripts.db')
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`The search index cannot be read: ${reason}. Delete ${file}: it is made again from the stored analyses.`, {
      cause,
    })
  })
  return {
    async put(workspaceId, { utterances, ...transcript }) {
      await thread.ask({ type: 'put', workspaceId, transcript: { ...transcript, text: textOf(utterances) } })
    },
    async find(workspaceId, query) {
      const request = { type: 'find', workspaceId, query, now: clock.now(), deadlineAt: monotonicMs() + deadlineMs } as const
      return foundReply.parse(await askInTime(thread, request, deadlineMs))
    },
    purge: async () => z.boolean().parse(await thread.ask({ type: 'purge', now: clock.now() })),
    isFilled: async () => z.boolean().parse(await thread.ask({ type: 'isFilled' })),
    async markFilled() {
      await thread.ask({ type: 'markFilled' })
    },
    close: () => thread.close(),
  }
}

/** Also if the thread is busy with something else, or waits for the disk. */
async function askInTime(thread: IndexThread, request: IndexRequest, deadlineMs: number): Promise<unknown> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new SearchTooLong()), deadlineMs)
  try {
    return await Promise.race([thread.ask(request), late.promise])
  } catch (error) {
    throw error instanceof SearchTooLong ? searchTooLong(deadlineMs) : error
  } finally {
    clearTimeout(timer)
  }
}
