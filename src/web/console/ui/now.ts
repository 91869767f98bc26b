import { useEffect, useState } from 'react'

type Clock = { readonly subscribe: (listener: (now: number) => void) => () => void; readonly tick: () => void }

/** How late what ticks the clock may be. */
const lateMs = 150

const clocks = new Map<number, Clock>()

/** The time, again after each interval: for what says how long ago something was. All components of one interval change together, in one render. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => clockOf(everyMs).subscribe(setNow), [everyMs])
  return now
}

/** Calls the listener each second, all listeners one after the other. Returns what removes it. */
export function followClock(listener: (now: number) => void): () => void {
  return clockOf(1_000).subscribe(listener)
}

/** The second is over now, and the next one begins: what changes each second then changes in the same frame as what is drawn now. */
export function tickSecond(): void {
  clockOf(1_000).tick()
}

function clockOf(everyMs: number): Clock {
  const clock = clocks.get(everyMs) ?? createClock(everyMs)
  clocks.set(everyMs, clock)
  return clock
}

/** One timer for all its listeners; none as long as there are no listeners. */
function createClock(everyMs: number): Clock {
  const listeners = new Set<(now: number) => void>()
  let timer: ReturnType<typeof setTimeout>
  const wait = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(tick, ms)
  }
  const report = (): void => {
    const now = Date.now()
    for (const listener of listeners) listener(now)
  }
  const tick = (): void => {
    wait(everyMs - (Date.now() % everyMs))
    report()
  }
  return {
    subscribe(listener) {
      if (listeners.size === 0) wait(everyMs - (Date.now() % everyMs))
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
    tick() {
      if (listeners.size === 0) return
      wait(everyMs + lateMs)
      report()
    },
  }
}
