import type { ServerResponse } from 'node:http'
import type { ReplyPart } from '../../features/widget/chat/reply-parts.ts'
import type { HttpContext } from '../http/http-context.ts'
import { type ChatChunk, createChunker } from './chat-chunks.ts'

/** Somewhat less than a reply is anybody's turn; a visitor who reads so slowly is cut off. */
const longestMs = 85_000

/**
 * Sends a reply as server-sent events in the AI SDK's UI-message protocol, each part as soon as it is there. A slow reader slows the model
 * down; one who leaves ends the reply.
 */
export async function sendReply(exchange: HttpContext, parts: AsyncIterable<ReplyPart>): Promise<void> {
  const { response } = exchange
  exchange.deadlineAt = performance.now() + longestMs
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-store, no-transform',
    'x-vercel-ai-ui-message-stream': 'v1',
    // Nginx would collect the words.
    'x-accel-buffering': 'no',
  })
  try {
    // Not by a pipeline: it would never begin the reply of a visitor who has left already, and what was never begun is never ended.
    for await (const event of events(parts)) {
      if (exchange.aborted !== null) return
      if (!response.write(event)) await roomIn(response)
    }
    response.end()
  } catch (error) {
    if (exchange.aborted === null) throw error
  }
}

/** Waits for a slow reader, or until it has left. */
function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
    if (response.closed) done()
  })
}

async function* events(parts: AsyncIterable<ReplyPart>): AsyncGenerator<string> {
  const chunksOf = createChunker()
  for await (const part of parts) {
    const chunks = chunksOf(part)
    if (chunks.length > 0) yield chunks.map(event).join('')
  }
  yield 'data: [DONE]\n\n'
}

function event(chunk: ChatChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
