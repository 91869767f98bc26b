import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Slot } from './slot.ts'

/** A response that knows when its request arrived and when it was complete. A listener for each response would cost more than this. */
export class TimedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** In `performance.now()` time, when the headers of the request were read. It may begin later, from a queue. */
  readonly arrivedAt = performance.now()
  /** In `performance.now()` time; 0 until then. */
  endedAt = 0
  /** What it takes of its owner's share; null if nobody counts. */
  slot: Slot | null = null

  override end(done?: () => void): this
  override end(chunk: unknown, done?: () => void): this
  override end(chunk: unknown, encoding: BufferEncoding, done?: () => void): this
  override end(chunk?: unknown, encoding?: BufferEncoding | (() => void), done?: () => void): this {
    if (this.endedAt === 0) this.endedAt = performance.now()
    return typeof encoding === 'string' ? super.end(chunk, encoding, done) : super.end(chunk, encoding)
  }
}
