import { useEffect, useState } from 'react'

type Clock = { readonly subscribe: (listener: (now: number) => void) => () => void }

const clocks = new Map<number, Clock>()

/** The time, again after each interval: for what says how long ago something was. All components of one interval change together, in one render. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => clockOf(everyMs).subscribe(setNow), [everyMs])
  return now
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
  const wait = (): void => {
    timer = setTimeout(tick, everyMs - (Date.now() % everyMs))
  }
  const tick = (): void => {
    wait()
    const now = Date.now()
    for (const listener of listeners) listener(now)
  }
  return {
    subscribe(listener) {
      if (listeners.size === 0) wait()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
  }
}
