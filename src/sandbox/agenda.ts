import type { Clock } from './clock.ts'

/** What a stand-in does later, by its clock: a test that moves the clock moves the agenda too. */
export interface Agenda extends Disposable {
  /** Runs `task` once, `ms` from now by the clock. */
  after(ms: number, task: () => void): void
  /** Runs all that is due now, in its order; the agenda also does so by itself every few milliseconds. */
  tick(): void
}

const lookEveryMs = 20

export function createAgenda(clock: Clock): Agenda {
  let entries: { dueAt: number; task: () => void }[] = []

  const tick = (): void => {
    const now = clock.now()
    const due = entries.filter((entry) => entry.dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt)
    if (due.length === 0) return
    entries = entries.filter((entry) => entry.dueAt > now)
    for (const entry of due) entry.task()
  }

  const timer = setInterval(tick, lookEveryMs)
  timer.unref()
  return {
    after: (ms, task) => void entries.push({ dueAt: clock.now() + ms, task }),
    tick,
    [Symbol.dispose]() {
      clearInterval(timer)
      entries = []
    },
  }
}
