import { ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { failSpan, showStatus, startClientSpan, traceparentOf } from '../../../kernel/tracing.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** Records the spans of the requests that the thread sends to the platform. */
export type PlatformSpans = {
  receive(message: FromWorker & { readonly type: 'requestBegins' | 'requestEnds' }): void
  /** The thread has ended. */
  endAll(): void
}

/** `spanOf`: the span of a running operation. */
export function createPlatformSpans(origin: string, spanOf: (id: number) => Span | null, post: (message: ToWorker) => void): PlatformSpans {
  const open = new Map<number, Span>()
  const begin = (call: number, parent: Span | null): string | null => {
    if (parent === null) return null
    const span = startClientSpan({ origin, method: 'POST' }, trace.setSpan(ROOT_CONTEXT, parent))
    open.set(call, span)
    return traceparentOf(span)
  }
  return {
    receive(message) {
      const { call } = message
      if (message.type === 'requestBegins') return post({ type: 'traced', call, traceparent: begin(call, spanOf(message.id)) })
      const span = open.get(call)
      if (!span) return
      open.delete(call)
      if (typeof message.outcome === 'number') showStatus(span, message.outcome)
      else failSpan(span, message.outcome)
      span.end()
    },
    endAll() {
      for (const span of open.values()) span.end()
      open.clear()
    },
  }
}
