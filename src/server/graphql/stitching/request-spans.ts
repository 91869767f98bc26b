import { threadId } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './messages.ts'

/** The span of one request. It is recorded in the service (`platform-spans.ts`), because the thread has no OpenTelemetry. */
export type RequestSpan = {
  readonly traceparent: string
  /** A status, or the kind of error. */
  end(outcome: number | string): void
}

export type RequestSpans = {
  /** Null if the operation is over. */
  begin(id: number): Promise<RequestSpan | null>
  receive(answer: ToWorker & { readonly type: 'traced' }): void
}

export function createRequestSpans(post: (message: FromWorker) => void): RequestSpans {
  const waiting = new Map<number, (traceparent: string | null) => void>()
  // Unique over all threads of the process.
  let lastCall = threadId * 2 ** 32
  return {
    async begin(id) {
      const call = (lastCall += 1)
      const traceparent = await new Promise<string | null>((resolve) => {
        waiting.set(call, resolve)
        post({ type: 'requestBegins', id, call })
      })
      return traceparent === null ? null : { traceparent, end: (outcome) => post({ type: 'requestEnds', call, outcome }) }
    },
    receive({ call, traceparent }) {
      waiting.get(call)?.(traceparent)
      waiting.delete(call)
    },
  }
}
