import type { ReplyPart } from '../../features/widget/chat/reply-parts.ts'
import { drained } from '../http/drained.ts'
import type { HttpContext } from '../http/http-context.ts'
import { type ChatChunk, createChunker } from './chat-chunks.ts'

/** A visitor who reads more slowly than this is disconnected. */
const maxReplyMs = 85_000

/**
 * Sends a reply as server-sent events in the AI SDK's UI-message protocol, each part as soon as it exists. A slow reader slows the model
 * down; a reader who leaves ends the reply.
 */
export async function sendReply(ctx: HttpContext, parts: AsyncIterable<ReplyPart>): Promise<void> {
  const { response } = ctx
  ctx.deadlineAt = performance.now() + maxReplyMs
  try {
    if (ctx.aborted === null) response.writeHead(200, headers)
    // Also if the request is over, and not with `pipeline`: a reply that never starts never releases its lease.
    for await (const event of events(parts)) {
      if (ctx.aborted !== null) return
      if (!response.write(event)) await drained(response)
    }
    response.end()
  } catch (error) {
    if (ctx.aborted === null) throw error
  }
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-vercel-ai-ui-message-stream': 'v1',
  // Nginx would buffer the events.
  'x-accel-buffering': 'no',
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
