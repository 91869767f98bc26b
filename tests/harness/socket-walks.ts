import { connect, type Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import * as fc from 'fast-check'
import { WebSocket } from 'ws'

/** What a client does on one web socket, in this order. It reads what comes, until it pauses. */
export type SocketWalk = { readonly isPatient: boolean; readonly steps: readonly Step[]; readonly end: End }
type Step =
  | { readonly do: 'subscribe'; readonly id: number; readonly query: number }
  | { readonly do: 'complete'; readonly id: number }
  | { readonly do: 'initialise' | 'ping' | 'pong' | 'control ping' | 'nonsense' | 'pause' | 'resume' | 'wait for a message' | 'wait' }
type End = 'close' | 'cut' | 'reset' | 'half close'

const id = fc.nat({ max: 7 })
const query = fc.nat({ max: 99 })
const always = <Name extends string>(name: Name): fc.Arbitrary<{ readonly do: Name }> => fc.constant({ do: name })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('subscribe' as const), id, query }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('complete' as const), id }) },
  { weight: 3, arbitrary: always('wait for a message') },
  { weight: 3, arbitrary: always('wait') },
  { weight: 2, arbitrary: fc.oneof(always('ping'), always('pong'), always('control ping'), always('pause'), always('resume')) },
  { weight: 1, arbitrary: fc.oneof({ weight: 1, arbitrary: always('initialise') }, { weight: 1, arbitrary: always('nonsense') }) },
)
const end = fc.constantFrom<End>('close', 'cut', 'cut', 'reset', 'reset', 'half close')
/** The others do not wait for `connection_ack`. */
const isPatient = fc.nat({ max: 9 }).map((number) => number > 0)
const walk = fc.record({ isPatient, steps: fc.array(step, { maxLength: 60, size: 'max' }), end })

/** The same ones for the same seed. */
export function socketWalks(count: number, seed: number): readonly SocketWalk[] {
  return fc.sample(walk, { numRuns: count, seed })
}

export type WalkedService = {
  readonly url: string
  readonly queries: readonly string[]
  /** Of the member who walks. */
  readonly token?: string | undefined
}

/** Resolves when the socket is closed on the client's side. Rejects if the service cannot be reached. */
export async function walkSocket({ isPatient: waits, steps, end: how }: SocketWalk, { url, queries, token }: WalkedService): Promise<void> {
  const { hostname, port } = new URL(url)
  const tcp = connect({ host: hostname, port: Number(port) })
  const socket = new WebSocket(`ws://${hostname}:${port}/graphql`, ['graphql-transport-ws'], { createConnection: () => tcp })
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  // A service that closes while the client sends resets the connection.
  socket.on('error', () => undefined)
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true))
    socket.once('close', () => resolve(false))
  })
  if (!isOpen) throw new Error('The service does not open a web socket')
  const said = { messages: 0 }
  socket.on('message', () => (said.messages += 1))
  const initialise = { type: 'connection_init', ...(token !== undefined && { payload: { authorization: `Bearer ${token}` } }) }
  const send = (message: object): void => socket.send(JSON.stringify(message), () => undefined)
  send(initialise)
  if (waits) await Promise.race([new Promise((resolve) => void socket.once('message', resolve)), closed])
  for (const next of steps) {
    if (socket.readyState !== socket.OPEN) break
    if (next.do === 'subscribe') {
      const payload = { query: queries[next.query % queries.length] }
      send({ type: 'subscribe', id: String(next.id), payload })
    } else if (next.do === 'complete') send({ type: 'complete', id: String(next.id) })
    else if (next.do === 'ping' || next.do === 'pong') send({ type: next.do })
    else if (next.do === 'initialise') send(initialise)
    else if (next.do === 'nonsense') send({ type: 'nonsense' })
    else if (next.do === 'control ping') socket.ping()
    else if (next.do === 'pause') socket.pause()
    else if (next.do === 'resume') socket.resume()
    else if (next.do === 'wait') await nextRound()
    else await messageAfter(said)
  }
  leave(socket, tcp, how)
  await closed
}

/** At most a few rounds: a paused client reads nothing. */
async function messageAfter(said: { readonly messages: number }): Promise<void> {
  const before = said.messages
  for (let rounds = 0; rounds < 20 && said.messages === before; rounds += 1) await nextRound()
}

function leave(socket: WebSocket, tcp: Socket, how: End): void {
  socket.resume()
  if (how === 'close') socket.close()
  else if (how === 'cut') socket.terminate()
  else if (how === 'reset') tcp.resetAndDestroy()
  else tcp.end()
}
