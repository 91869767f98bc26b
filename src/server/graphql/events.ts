import type { HttpContext } from '../http/http-context.ts'
import { mediaTypeFor } from './answer.ts'
import { hasErrorsFirst } from './platform-errors.ts'

export const eventStream = 'text/event-stream'
const beforeAnswer = Buffer.from('event: next\ndata: ')
const afterAnswer = Buffer.from('\n\nevent: complete\ndata:\n\n')

/** Whether it accepts an event stream, and neither JSON nor everything. */
export function acceptsOnlyEvents(accept: string | undefined): boolean {
  return mediaTypeFor(accept) === null && accept?.toLowerCase().includes(eventStream) === true
}

/** One answer, which is a line of JSON, as an event stream (github.com/enisdenjo/graphql-sse, distinct connections mode). */
export function eventsOf(answer: Uint8Array): readonly Uint8Array[] {
  return [beforeAnswer, answer, afterAnswer]
}

/** Sends one answer, which is JSON, to a client that accepts only an event stream. */
export function sendEvents(ctx: HttpContext, answer: Buffer): void {
  ctx.hasFailed = hasErrorsFirst(answer)
  // In JSON a line break is only white space.
  const isLine = !answer.includes('\n') && !answer.includes('\r')
  const body = Buffer.concat(eventsOf(isLine ? answer : Buffer.from(answer.toString('latin1').replaceAll(/[\r\n]/g, ' '), 'latin1')))
  ctx.writeHead(200, ['content-type', eventStream, 'content-length', String(body.length), 'cache-control', 'no-store'])
  ctx.response.end(body)
}
