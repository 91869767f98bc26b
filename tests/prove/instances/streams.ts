import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { subscribe } from '../../harness/subscribe.ts'

/** A client that subscribes to the events of calls, and subscribes again when its stream ends. */
export type Following = {
  readonly isConnected: () => boolean
  /** From the end of a stream to the next connection, each time. */
  readonly gapsMs: readonly number[]
  /** When the last event came, in `performance.now()` time. */
  readonly lastEventAt: () => number
  leave(): void
}

const query = 'subscription { callEvents { call { ucid } } }'
const againMs = 100

export function followEvents(url: string, token: string): Following {
  const state = createState()
  let leaveStream = (): void => undefined
  const follow = async (): Promise<void> => {
    const stream = await subscribe(url, { query, token })
    if (stream.status !== 200) return
    state.connected()
    leaveStream = () => stream.leave()
    for (let seen = 0; !stream.ended; await delay(20)) {
      if (stream.text.slice(seen).includes('"callEvents"')) state.event()
      seen = stream.text.length
    }
    state.ended()
  }
  const followAgain = async (): Promise<void> => {
    while (!state.isLeft()) {
      await follow().catch(() => null)
      await delay(againMs)
    }
  }
  void followAgain()
  return {
    ...state,
    leave() {
      state.leave()
      leaveStream()
    },
  }
}

export function followSocket(url: string, token: string): Following {
  const state = createState()
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: () => delay(againMs),
    on: { connected: () => state.connected(), closed: () => state.ended() },
  })
  // A service that stops completes the operation before it closes the socket.
  const again = (): void => {
    if (state.isLeft()) return
    void delay(againMs).then(() => client.subscribe({ query }, { next: () => state.event(), error: again, complete: again }))
  }
  again()
  return {
    ...state,
    leave() {
      state.leave()
      void client.dispose()
    },
  }
}

function createState() {
  const gapsMs: number[] = []
  let [isConnected, isLeft, endedAt, lastEventAt] = [false, false, 0, 0]
  return {
    gapsMs,
    isConnected: () => isConnected,
    isLeft: () => isLeft,
    lastEventAt: () => lastEventAt,
    connected() {
      isConnected = true
      if (endedAt > 0) gapsMs.push(performance.now() - endedAt)
      endedAt = 0
    },
    event: () => void (lastEventAt = performance.now()),
    ended: () => void (isLeft || (endedAt ||= performance.now())),
    leave: () => void (isLeft = true),
  }
}
