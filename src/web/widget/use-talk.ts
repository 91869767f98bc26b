import { useEffect, useState } from 'preact/hooks'
import type { Talk, TalkState } from './talk.ts'

export function useTalk(talk: Talk): TalkState {
  const [state, setState] = useState(talk.state())
  useEffect(() => {
    const look = (): void => setState(talk.state())
    // An effect comes after the first painting: what has happened by then was told to nobody.
    look()
    return talk.subscribe(look)
  }, [talk])
  return state
}

export function useIsOnline(): boolean {
  const [isOnline, setIsOnline] = useState(navigator.onLine)
  useEffect(() => {
    const look = (): void => setIsOnline(navigator.onLine)
    look()
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return isOnline
}
