import { parentPort } from 'node:worker_threads'
import { type IndexFile, openTranscriptDatabase, SearchTooLong, type TranscriptDatabase } from './sqlite-database.ts'
import type { FromThread, IndexRequest, ToThread } from './sqlite-messages.ts'

/**
 * The thread of the search index: SQLite holds the thread that calls it, for seconds if a search reads many transcripts. It imports next to nothing,
 * because each module takes memory again in each thread.
 */
let database: TranscriptDatabase | null = null

function post(message: FromThread): void {
  parentPort?.postMessage(message, [])
}

function open(file: IndexFile): void {
  try {
    database = openTranscriptDatabase(file)
    post({ type: 'opened' })
  } catch (error) {
    post({ type: 'notOpened', why: error instanceof Error ? error.message : String(error) })
    parentPort?.close()
  }
}

function answer(opened: TranscriptDatabase, request: IndexRequest): unknown {
  switch (request.type) {
    case 'put':
      return opened.put(request.workspaceId, request.transcript)
    case 'find':
      return opened.find(request.workspaceId, request.query, request)
    case 'purge':
      return opened.purge(request.now)
    case 'isFilled':
      return opened.isFilled()
    case 'markFilled':
      return opened.markFilled()
  }
}

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'open') return open(message.file)
  if (message.type === 'close') {
    database?.close()
    return parentPort?.close()
  }
  const { id, request } = message
  try {
    if (database) post({ type: 'done', id, value: answer(database, request) })
  } catch (cause) {
    post({ type: 'failed', id, isTooLong: cause instanceof SearchTooLong, cause })
  }
})
