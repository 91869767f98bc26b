import { useEffect } from 'react'
import { heartbeatSeconds } from './session.ts'

/** Renews the agent session as often as the service asked for at sign-in. */
export function useHeartbeat(beat: () => unknown): void {
  useEffect(() => {
    const timer = setInterval(beat, heartbeatSeconds() * 1000)
    return () => clearInterval(timer)
  })
}
