import type { RequestContext } from '../../../access/request-context.ts'
import type { LocalPart } from './local-part.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** The subscriptions of ours that stitched operations read, one answer at a time. */
export type LocalStreams = {
  receive(message: FromWorker & { readonly type: 'localStream' | 'localNext' | 'localStop' }): Promise<void>
  /** The worker has ended. */
  stopAll(): void
}

export function createLocalStreams(
  localPart: LocalPart,
  contextOf: (id: number) => RequestContext | null,
  post: (message: ToWorker) => void,
): LocalStreams {
  const open = new Map<number, AsyncIterator<string>>()
  const stop = (call: number): void => {
    const stream = open.get(call)
    open.delete(call)
    // It ends at its next answer, or at the end of its request.
    stream?.return?.().catch(() => undefined)
  }
  return {
    async receive(message) {
      const { type, call } = message
      if (type === 'localStop') return stop(call)
      if (type === 'localStream') return void open.set(call, localPart.stream(message, contextOf(message.id)))
      const next = await open.get(call)?.next()
      if (!next || next.done) open.delete(call)
      post({ type: 'localAnswer', call, answer: next && !next.done ? next.value : '' })
    },
    stopAll() {
      for (const call of open.keys()) stop(call)
    },
  }
}
