import { createClient } from 'graphql-ws'
import { z } from 'zod'
import { subscribe } from '../../harness/subscribe.ts'
import { waitFor } from '../../harness/wait-for.ts'

/** Subscriptions at one instance, over server-sent events and over web sockets. */
export type OpenStreams = {
  readonly count: number
  /** Waits until all have ended; returns what is wrong with each that did not end with a last event (and its close code). */
  ended(): Promise<readonly string[]>
}

const query = 'subscription { callEvents { call { ucid } } }'
const closedSchema = z.object({ code: z.number(), reason: z.string() })
const stopping = 'The service restarts: subscribe again'

export async function openStreams(url: string, token: string, each: number): Promise<OpenStreams> {
  const events = await Promise.all(Array.from({ length: each }, () => subscribe(url, { query, token })))
  const sockets = await Promise.all(Array.from({ length: each }, () => openSocket(url, token)))
  await waitFor(() => events.every(({ status }) => status === 200), { what: 'event streams' })
  return {
    count: 2 * each,
    async ended() {
      await waitFor(() => events.every((stream) => stream.ended) && sockets.every(({ closed }) => closed !== null), {
        what: 'all streams to end',
      })
      const isLast = (text: string): boolean => text.includes(stopping) && text.trimEnd().endsWith('event: complete\ndata:')
      return [
        ...events.filter(({ text }) => !isLast(text)).map(({ text }) => `SSE: ${text.slice(-200)}`),
        ...sockets
          .filter(({ closed, last }) => closed?.code !== 1001 || !last.includes(stopping))
          .map(({ closed, last }) => `WebSocket: ${JSON.stringify(closed)} after ${last}`),
      ]
    },
  }
}

async function openSocket(url: string, token: string) {
  const seen = { closed: null as z.output<typeof closedSchema> | null, last: '' }
  const connected = Promise.withResolvers<void>()
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
    on: {
      connected: () => connected.resolve(),
      closed: (event) => void (seen.closed = closedSchema.parse(event)),
    },
  })
  client.subscribe(
    { query },
    {
      next: (result) => void (seen.last = JSON.stringify(result)),
      error: (error) => void (seen.last ||= String(error)),
      complete: () => undefined,
    },
  )
  await connected.promise
  return seen
}
