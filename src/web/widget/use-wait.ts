import { useEffect, useState } from 'preact/hooks'
import type { Failure } from './failure.ts'

/** How many seconds the service still asks to wait after this failure, counted down. */
export function useWait(failure: Failure | null): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const endsAt = Date.now() + (failure?.retryAfterSeconds ?? 0) * 1_000
    const update = (): void => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000)))
    update()
    const timer = setInterval(update, 1_000)
    return () => clearInterval(timer)
  }, [failure])
  return left
}

/** The seconds until a moment, by the given clock; 0 once it has passed. */
export function useSecondsUntil(moment: string | null, now: () => number): number {
  const secondsLeft = (): number => (moment === null ? 0 : Math.max(0, Math.ceil((Date.parse(moment) - now()) / 1_000)))
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    setLeft(secondsLeft())
    const timer = setInterval(() => setLeft(secondsLeft()), 1_000)
    return () => clearInterval(timer)
  }, [moment])
  return left
}
