import type { ServiceError } from '@call-center-sidecar/client'
import { useEffect } from 'react'
import { ErrorState } from '../data/error-state.tsx'
import { resumeSession } from '../session/session.ts'
import { Entrance } from './entrance.tsx'

const retryMs = 5_000

/** The page was opened while the service could not be reached: it goes on by itself when it can. */
export function Unreachable({ error }: { readonly error: ServiceError }) {
  useEffect(() => {
    const again = (): void => void resumeSession()
    const timer = setInterval(again, retryMs)
    addEventListener('online', again)
    return () => {
      clearInterval(timer)
      removeEventListener('online', again)
    }
  }, [])
  return (
    <Entrance>
      <ErrorState error={error} onRetry={() => void resumeSession()} />
    </Entrance>
  )
}
