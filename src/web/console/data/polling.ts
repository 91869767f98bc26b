import { useEffect, useRef } from 'react'

/** Calls it again and again as long as the page can be seen, and at once when it can be seen again. */
export function usePolling(run: () => void, everyMs: number): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const tick = (): void => {
      if (document.visibilityState === 'visible') latest.current()
    }
    const timer = setInterval(tick, everyMs)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [everyMs])
}
