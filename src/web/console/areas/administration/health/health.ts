import { useCallback, useEffect, useState } from 'react'
import { ServiceError } from '@call-center-sidecar/client'
import { usePolling } from '../../../data/polling.ts'

export type PartState = 'up' | 'degraded' | 'down' | 'unknown'
/** A part of the service, or a party that it needs. `detail`: figures of the part. */
export type Part = {
  readonly name: string
  readonly state: PartState
  readonly reason: string | null
  readonly checkMs: number | null
  readonly detail: Readonly<Record<string, unknown>>
}
export type Health = { readonly parts: readonly Part[]; readonly readAt: number }

const everyMs = 5_000
const deadlineMs = 8_000

/** `GET /health` of the service that the page came from, again and again. The last answer stays while the service is away. */
export function useHealth() {
  const [health, setHealth] = useState<Health | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isReading, setReading] = useState(false)
  const poll = useCallback(
    () =>
      readHealth().then((found) => {
        setHealth(found)
        setError(null)
      }, setError),
    [],
  )
  /** Only what the person asked for is shown as under way. */
  const read = (): void => {
    setReading(true)
    void poll().finally(() => setReading(false))
  }
  useEffect(() => void poll(), [poll])
  usePolling(() => void poll(), everyMs)
  return { health, error, isReading, read }
}

async function readHealth(): Promise<Health> {
  const answer: unknown = await fetch('/health', { signal: AbortSignal.timeout(deadlineMs), cache: 'no-store' })
    .then((response) => response.json())
    .catch(() => Promise.reject(new ServiceError({ code: 'NO_ANSWER', reason: null, message: 'No answer' })))
  return { readAt: Date.now(), parts: Object.entries(recordIn(answer, 'parts')).map(([name, part]) => partOf(name, part)) }
}

const states: readonly PartState[] = ['up', 'degraded', 'down', 'unknown']

function partOf(name: string, part: unknown): Part {
  const { state, reason, checkMs } = asRecord(part)
  return {
    name,
    state: states.find((known) => known === state) ?? 'unknown',
    reason: typeof reason === 'string' ? reason : null,
    checkMs: typeof checkMs === 'number' ? checkMs : null,
    detail: recordIn(part, 'detail'),
  }
}

function recordIn(value: unknown, name: string): Readonly<Record<string, unknown>> {
  return asRecord(asRecord(value)[name])
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
}
