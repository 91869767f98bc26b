import { setTimeout as pause } from 'node:timers/promises'
import { connect } from 'node:net'
import { getIntrospectionQuery } from 'graphql'
import { WebSocket } from 'ws'
import { createClient, inFlight, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { startWatchedService, type WatchedService } from './watched.ts'

const [sockets, operations, connections] = [20, 50, 200]
const most = { rssMb: 700, slowestMs: 2_000 }
/** The schema twice, as much as an operation may cost: some three megabytes. */
const one = getIntrospectionQuery()
const query = one.replace(/__schema \{[\s\S]*?\n {6}\}\n/, (root) => ['a', 'b'].map((alias) => `${alias}: ${root}`).join(''))
const seconds = 20

/** A member asks for introspections and reads none: the memory of the service, and whether another member is served meanwhile. */
export async function proveUnread(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [name, attack] of Object.entries({
    [`${sockets} web sockets with ${operations} introspections each`]: overSockets,
    [`${connections} connections with an introspection each, as JSON`]: (url: string, token: string) =>
      overHttp(url, token, 'application/json'),
    [`${connections} connections with an introspection each, as server-sent events`]: (url: string, token: string) =>
      overHttp(url, token, 'text/event-stream'),
  }))
    figures.push(await figureOf(name, attack))
  return figures
}

type Attack = (url: string, token: string) => Promise<Disposable>

async function figureOf(name: string, attack: Attack): Promise<Figure> {
  await using service = await startWatchedService({ settings: { METRICS_FROM: 'loopback' } })
  await using client = createClient()
  const attacker = tokensOf(await client.logIn(service.url, 'agent1')).accessToken
  const other = tokensOf(await client.logIn(service.url, 'agent2')).accessToken
  const { bytes } = await introspect(service.url, other)
  const before = await service.read()
  say(`${name}, of ${(bytes / 1_048_576).toFixed(1)} MB`)
  using clients = await attack(service.url, attacker)
  const endsAt = performance.now() + seconds * 1_000
  let [rssMb, slowestMs, answered] = [0, 0, 0]
  while (performance.now() < endsAt) {
    const startedAt = performance.now()
    const { status } = await client.send(`${service.url}/graphql`, {
      headers: { authorization: `Bearer ${other}` },
      body: { query: '{ me { role } }' },
    })
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    if (status === 200) answered += 1
    rssMb = Math.max(rssMb, (await service.read({ collect: false })).rssMb)
    await pause(100)
  }
  clients[Symbol.dispose]()
  const startedAt = performance.now()
  await introspect(service.url, other)
  const introspectionMs = performance.now() - startedAt
  return {
    claim: `one member asks over ${name} of ${(bytes / 1_048_576).toFixed(1)} MB, and reads nothing for ${seconds} s`,
    figure: `RSS ${Math.round(before.rssMb)} MB before, ${Math.round(rssMb)} MB at most; ${await closedBy(service)} connections closed; another member got ${answered} answers, the slowest after ${slowestMs.toFixed(0)} ms, and then an introspection after ${introspectionMs.toFixed(0)} ms`,
    holds: rssMb <= most.rssMb && slowestMs <= most.slowestMs && answered > 0,
  }
}

async function introspect(url: string, token: string): Promise<{ readonly bytes: number }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return { bytes: (await answer.arrayBuffer()).byteLength }
}

async function closedBy({ url }: WatchedService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^sidecar_http_connections_closed_total\{cause="unread"\} (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
}

async function overSockets(url: string, token: string): Promise<Disposable> {
  const all = await inFlight(sockets, sockets, () => openSocket(url, token))
  for (const socket of all) {
    socket.pause()
    for (let id = 0; id < operations; id += 1) socket.send(JSON.stringify({ type: 'subscribe', id: String(id), payload: { query } }))
  }
  return {
    [Symbol.dispose]() {
      for (const socket of all) socket.terminate()
    },
  }
}

async function openSocket(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, ['graphql-transport-ws'])
  socket.on('error', () => undefined)
  await new Promise((resolve) => void socket.once('open', resolve))
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
  await new Promise((resolve) => void socket.once('message', resolve))
  return socket
}

async function overHttp(url: string, token: string, accept: string): Promise<Disposable> {
  const body = JSON.stringify({ query })
  const head = [
    'POST /graphql HTTP/1.1',
    'host: a',
    'content-type: application/json',
    `accept: ${accept}`,
    `authorization: Bearer ${token}`,
  ]
  const text = [...head, `content-length: ${body.length}`, '', body].join('\r\n')
  const all = Array.from({ length: connections }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(text)
    return socket
  })
  return {
    [Symbol.dispose]() {
      for (const socket of all) socket.destroy()
    },
  }
}
