import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { type Client, type ClientOptions, createClient } from '../../packages/client/src/client.ts'
import type { TestClock } from './clock.ts'

/** Timers that run when the clock is moved over them. */
export type TestTimers = NonNullable<ClientOptions['timers']> & {
  advance(ms: number): void
  /** In how many milliseconds each timer is due. */
  waiting(): readonly number[]
}

export function createTestTimers(clock: TestClock): TestTimers {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  return {
    now: () => clock.now(),
    after(ms, run) {
      const timer = { at: clock.now() + ms, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance(ms) {
      clock.advance(ms)
      for (const timer of [...timers].filter(({ at }) => at <= clock.now())) {
        timers.delete(timer)
        timer.run()
      }
    },
    waiting: () => [...timers].map(({ at }) => at - clock.now()),
  }
}

/** An address that stays while what is behind it changes; its connections can be cut. */
export type Relay = AsyncDisposable & {
  readonly url: string
  pointTo(url: string): void
  cut(): void
}

export async function openRelay(target: string): Promise<Relay> {
  let port = Number(new URL(target).port)
  const sockets = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    const service = track(connect(port, '127.0.0.1'))
    track(client).pipe(service).pipe(client)
    client.on('close', () => service.destroy())
    service.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    pointTo: (url) => void (port = Number(new URL(url).port)),
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A client that is closed with its test. */
export function clientFor(options: ClientOptions): Client & Disposable {
  const client = createClient(options)
  return Object.defineProperties({ ...client, [Symbol.dispose]: client.close }, { agentSession: { get: () => client.agentSession } })
}

/** Collects what an iteration brings. */
export function collect<Item>(items: AsyncIterable<Item>): { readonly items: readonly Item[]; readonly ended: Promise<unknown> } {
  const collected: Item[] = []
  const read = async (): Promise<void> => {
    for await (const item of items) collected.push(item)
  }
  // The error with which it ended; undefined if it ended without one.
  return { items: collected, ended: read().catch((error: unknown) => error) }
}
