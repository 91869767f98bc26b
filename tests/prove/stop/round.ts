import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '../../harness/wait-for.ts'
import type { Balancer } from '../stage/balancer.ts'
import type { Client } from '../stage/client.ts'
import type { Asked } from '../stage/load.ts'
import type { ServiceProcess, Stage } from '../stage/stage.ts'
import { bearer, type Traffic } from '../stage/traffic.ts'
import { openStreams } from './open-streams.ts'

/** As in deploy/. */
export const stopDelaySeconds = 3
/** Of each kind. */
const streamsEach = 3

export type Round = {
  readonly code: number | null
  readonly tookMs: number
  /** From the signal to the first 503 of `/ready`; null if it never came, or the port closed first. */
  readonly notReadyAfterMs: number | null
  /** What is wrong with what was under way at the instance. */
  readonly wrong: readonly string[]
}

type Scene = { readonly stage: Stage; readonly client: Client; readonly balancer: Balancer; readonly traffic: Traffic }

/** Stops one instance with everything open, starts it again, and waits until it gets its share of the load. */
export async function playRound({ stage, client, balancer, traffic }: Scene, victim: ServiceProcess, number: number): Promise<Round> {
  const headers = bearer(traffic.manager)
  const streams = await openStreams(victim.url, traffic.manager, streamsEach)
  const callId = traffic.recordings[number % traffic.recordings.length]
  const analysis = client.send(`${victim.url}/api/recordings/analyze`, { headers, body: { callId, force: true } })
  // It ends after the port is closed.
  await stage.command('platform', 'fault', { operation: 'notes', delayMs: 1_000 * stopDelaySeconds + 1_000, times: 1 })
  await delay(1_000)
  const query = '{ notes(first: 1) { edges { node { id } } } }'
  const slow = client.send(`${victim.url}/graphql`, { headers, body: { query } })
  const chats = [traffic.chat(), traffic.chat()].map((chat) => complete(victim.url, chat))
  await delay(100)

  const stopping = victim.stop()
  const notReadyAfterMs = await untilNotReady(victim.url)
  const exit = await stopping
  const wrong = [...(await streams.ended())]
  const { status: analysed, body: analysisBody } = await analysis
  if (analysed !== 202) wrong.push(`the waiting analysis: ${analysed} ${JSON.stringify(analysisBody)}`)
  const answer = await slow
  if (answer.status !== 200 || !JSON.stringify(answer.body).includes('"notes"')) wrong.push(`the slow request: ${JSON.stringify(answer)}`)
  for (const text of await Promise.all(chats)) if (text !== null) wrong.push(`a chat: ${text}`)

  await victim.start()
  await waitFor(() => balancer.isReady(victim.url), { what: 'the instance to be ready' })
  return { code: exit?.code ?? null, tookMs: exit?.tookMs ?? Number.NaN, notReadyAfterMs, wrong }
}

/** Null if the whole reply came, else what came. */
async function complete(url: string, { path, body = '', headers, isRight }: Asked): Promise<string | null> {
  const came = await fetch(url + path, { method: 'POST', headers, body })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: unknown) => ({ status: 0, text: String(error) }))
  return isRight(came.status, came.text) ? null : `${came.status} ${came.text.slice(-200)}`
}

async function untilNotReady(url: string): Promise<number | null> {
  const startedAt = performance.now()
  const { hostname, port } = new URL(url)
  for (;;) {
    const answer = await askReady(hostname, Number(port))
    if (answer === null) return null
    if (answer.startsWith('HTTP/1.1 503')) return performance.now() - startedAt
    await delay(5)
  }
}

/** Over a connection of its own; null if nobody listens. */
async function askReady(host: string, port: number): Promise<string | null> {
  const socket = connect(port, host)
  try {
    socket.end(`GET /ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    let text = ''
    socket.on('data', (piece) => (text += String(piece)))
    await once(socket, 'close')
    return text
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}
