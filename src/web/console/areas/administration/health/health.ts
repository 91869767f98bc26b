import { useCallback, useEffect, useState } from 'react'
import { ServiceError } from '@call-center-sidecar/client'
import { service } from '../../../data/service-client.ts'
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
/** A kind of provider or model, of all workspaces together. `since`: when it began to work, or to fail; null if nobody has called it since the service started. */
export type Party = {
  readonly party: string
  readonly works: boolean | null
  readonly since: number | null
}
export type Health = { readonly parts: readonly Part[]; readonly parties: readonly Party[]; readonly readAt: number }

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
  const token = await service.accessToken()
  const known = await ask(token)
  // Without its parts the token was refused, or the platform is away.
  const answer = hasParts(known) || token === null ? known : await ask(await service.renewToken(token))
  if (!hasParts(answer)) throw new ServiceError({ code: 'UPSTREAM_UNAVAILABLE', reason: null, message: 'No parts' })
  const readAt = Date.now()
  const parts = Object.entries(recordIn(answer, 'parts'))
  const parties: unknown = asRecord(recordIn(answer, 'parts')['upstreams'])['detail']
  return { readAt, parts: parts.map(([name, part]) => partOf(name, part)), parties: partiesOf(parties, readAt) }
}

function ask(token: string | null): Promise<unknown> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  return fetch('/health', { headers, signal: AbortSignal.timeout(deadlineMs), cache: 'no-store' })
    .then((response) => response.json())
    .catch(() => Promise.reject(new ServiceError({ code: 'NO_ANSWER', reason: null, message: 'No answer' })))
}

function hasParts(answer: unknown): boolean {
  return 'parts' in asRecord(answer)
}

/** Shown also if nobody has called them yet. */
const usualParties = ['telephony', 'language-model', 'speech'] as const
/** They have lines of their own. */
const otherParts: ReadonlySet<unknown> = new Set(['platform', 'redis'])

function partiesOf(list: unknown, readAt: number): readonly Party[] {
  const called = (Array.isArray(list) ? list : []).flatMap((entry: unknown): readonly Party[] => {
    const { party, works, seconds } = asRecord(entry)
    if (typeof party !== 'string' || otherParts.has(party) || typeof works !== 'boolean' || typeof seconds !== 'number') return []
    return [{ party, works, since: readAt - seconds * 1_000 }]
  })
  const known = new Set(called.map(({ party }) => party))
  const others = usualParties.filter((party) => !known.has(party))
  return [...called, ...others.map((party) => ({ party, works: null, since: null }))]
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
