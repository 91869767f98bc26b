import { createClient } from 'graphql-ws'
import { z } from 'zod'
import { subscribe, type Subscribed } from '../../harness/subscribe.ts'
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
  const events = await Promise.all(Array.from({ length: each }, () => openEvents(url, token)))
  const sockets = await Promise.all(Array.from({ length: each }, () => openSocket(url, token)))
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

async function openEvents(url: string, token: string): Promise<Subscribed> {
  const stream = await subscribe(url, { query, token })
  if (stream.status !== 200) throw new Error(`an event stream got ${stream.status}`)
  return stream
}

type Socket = { closed: z.output<typeof closedSchema> | null; last: string }

async function openSocket(url: string, token: string): Promise<Socket> {
  const settled = Promise.withResolvers<void>()
  const seen: Socket = { closed: null, last: '' }
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => settled.resolve(),
    on: {
      connected: () => settled.resolve(),
      closed(event) {
        seen.closed = closedSchema.parse(event)
        settled.resolve()
      },
    },
  })
  const sink = {
    next: (result: unknown) => void (seen.last = JSON.stringify(result)),
    error: (error: unknown) => void (seen.last ||= String(error)),
    complete: () => undefined,
  }
  client.subscribe({ query }, sink)
  await settled.promise
  if (seen.closed) throw new Error(`a web socket got ${JSON.stringify(seen.closed)}`)
  return seen
}
