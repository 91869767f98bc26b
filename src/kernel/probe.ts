/** Asks an upstream whether it answers at all. Rejects if it gives no answer. */
export type ProbeCall = (signal: AbortSignal) => Promise<unknown>

export type Probe = {
  /** Calls `settle` with the result, after the deadline at the latest. Does nothing while another question is under way. */
  ask(settle: (answers: boolean) => void): void
}

export function createProbe(call: ProbeCall, deadlineMs: number): Probe {
  let isAsking = false
  return {
    ask(settle) {
      if (isAsking) return
      isAsking = true
      const deadline = new AbortController()
      const late = (): void => deadline.abort(new DOMException('The probe took too long', 'TimeoutError'))
      // Answers that came while the event loop was blocked are read first.
      const timer = setTimeout(() => setImmediate(late), deadlineMs).unref()
      const end = (answers: boolean): void => {
        clearTimeout(timer)
        isAsking = false
        settle(answers)
      }
      call(deadline.signal).then(
        () => end(true),
        () => end(false),
      )
    },
  }
}
