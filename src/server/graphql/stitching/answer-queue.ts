/** The answers of one subscription on their way from the worker to the client. */
export type AnswerQueue = {
  /** False if the queue holds too much, because the reader is too slow, and after `fail`. */
  add(body: Uint8Array): boolean
  /** No more answers come. */
  end(): void
  fail(error: Error): void
  /** The answers in their order, then the error of `fail`. */
  read(): AsyncGenerator<Uint8Array>
  readonly hasEnded: () => boolean
}

/** `onWaiting`: so many bytes more wait, or fewer. */
export function createAnswerQueue(maxBytes: number, onWaiting: (bytes: number) => void = () => {}): AnswerQueue {
  const waiting: Uint8Array[] = []
  let waitingBytes = 0
  let ended = false
  let failure: Error | null = null
  let wake = (): void => {}
  return {
    add(body) {
      if (failure !== null || waitingBytes + body.length > maxBytes) return false
      waitingBytes += body.length
      onWaiting(body.length)
      waiting.push(body)
      wake()
      return true
    },
    end() {
      ended = true
      wake()
    },
    fail(error) {
      failure = error
      wake()
    },
    async *read() {
      while (true) {
        const next = waiting.shift()
        if (next) {
          waitingBytes -= next.length
          onWaiting(-next.length)
          yield next
        } else if (failure) throw failure
        else if (ended) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    hasEnded: () => ended,
  }
}
