import { useEffect, useState } from 'preact/hooks'
import type { Talk, TalkState } from './talk.ts'

export function useTalk(talk: Talk): TalkState {
  const [state, setState] = useState(talk.state())
  useEffect(() => talk.subscribe(() => setState(talk.state())), [talk])
  return state
}

export function useIsOnline(): boolean {
  const [isOnline, setIsOnline] = useState(navigator.onLine)
  useEffect(() => {
    const look = (): void => setIsOnline(navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return isOnline
}
