import type { HttpContext } from '../http/http-context.ts'
import { hasErrorsFirst } from './platform-errors.ts'

export const eventStream = 'text/event-stream'
const beforeAnswer = Buffer.from('event: next\ndata: ')
const afterAnswer = Buffer.from('\n\nevent: complete\ndata:\n\n')

/** One answer, which is a line of JSON, as an event stream (github.com/enisdenjo/graphql-sse, distinct connections mode). */
export function eventsOf(answer: Uint8Array): readonly Uint8Array[] {
  return [beforeAnswer, answer, afterAnswer]
}

/** Sends one answer to a client that accepts only an event stream. */
export function sendEvents(ctx: HttpContext, answer: Buffer): void {
  ctx.hasFailed = hasErrorsFirst(answer)
  const body = Buffer.concat(eventsOf(answer))
  ctx.writeHead(200, ['content-type', eventStream, 'content-length', String(body.length), 'cache-control', 'no-store'])
  ctx.response.end(body)
}
