import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import type { LoadResult } from './load.ts'

/**
 * Sends load in a process of its own, and prints the result as one line of JSON. `rate` null: a closed loop, each connection sends its next request
 * after the answer. Otherwise so many requests a second, whether the others are answered or not. Beside them vital requests, ten a second of
 * each kind.
 */
const { url, token, webhook, rate, seconds, connections } = z
  .object({
    url: z.string(),
    token: z.string(),
    webhook: z.string(),
    rate: z.number().nullable(),
    seconds: z.number(),
    connections: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''))

type Kind = { readonly path: string; readonly body: string }
const graphql = (query: string): Kind => ({ path: '/graphql', body: JSON.stringify({ query }) })
const platform = graphql('query Small { leads(first: 1) { edges { node { id name } } } }')
/** Half of them forwarded, a quarter our own, a quarter both. */
const mix = [
  platform,
  graphql('{ me { role agent { name } } }'),
  platform,
  graphql('query Both { me { role } leads(first: 1) { edges { node { id } } } }'),
]
const vital: readonly Kind[] = [
  { path: webhook, body: JSON.stringify({ event: 'call', ucid: '1', agent_id: 'nobody' }) },
  { path: '/auth/heartbeat', body: JSON.stringify({ lockedAt: '2026-01-15T09:00:00.000Z' }) },
  graphql('mutation { heartbeat(lockedAt: "2026-01-15T09:00:00.000Z") { expiresAt } }'),
  graphql('mutation { agentLogout(lockedAt: "2026-01-15T09:00:00.000Z") { loggedOut: __typename } }'),
]

const result: LoadResult = {
  useful: 0,
  refused: 0,
  failed: 0,
  notSent: 0,
  refusedMs: [],
  usefulMs: [],
  vital: {},
  usefulBySecond: [],
  endedAt: 0,
}
const startedAt = performance.now()
const { hostname, port, host } = new URL(url)

function bytesOf({ path, body }: Kind): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: application/json\r\nauthorization: Bearer ${token}\r\n`
  return Buffer.from(`${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
const prepared = mix.map(bytesOf)
const preparedVital = vital.map(bytesOf)

/** One request at a time, over a socket: a client library would need more of the machine than the service. */
class Connection {
  private readonly socket: Socket
  private readonly onFree: (connection: Connection) => void
  private onEnd: (status: number) => void = () => {}
  private status = 0
  private missing = 0

  constructor(onFree: (connection: Connection) => void) {
    this.onFree = onFree
    this.socket = connect(Number(port), hostname)
    this.socket.setNoDelay(true)
    this.socket.on('data', (chunk: Buffer) => this.take(chunk))
    this.socket.on('error', () => this.end(0))
  }

  send(bytes: Buffer, onEnd: (status: number) => void): void {
    this.onEnd = onEnd
    this.socket.write(bytes)
  }

  private take(chunk: Buffer): void {
    if (this.missing === 0) {
      const end = chunk.indexOf('\r\n\r\n')
      const head = chunk.toString('latin1', 0, end).toLowerCase()
      this.status = Number(head.slice(9, 12))
      const length = /content-length: (\d+)/.exec(head)
      if (!length) throw new Error(`an answer without a length: ${head}`)
      this.missing = Number(length[1]) + end + 4
    }
    this.missing -= chunk.length
    if (this.missing === 0) this.end(this.status)
  }

  private end(status: number): void {
    this.onEnd(status)
    this.onFree(this)
  }
}

const free: Connection[] = []
const freeVital: Connection[] = []
for (let count = 0; count < connections; count += 1) free.push(new Connection((connection) => release(connection)))
for (let count = 0; count < 64; count += 1) freeVital.push(new Connection((connection) => void freeVital.push(connection)))
/** When each request that waits for a connection was due. A client that has waited for a second has given up. */
const waiting: number[] = []
const patienceMs = 1_000

function release(connection: Connection): void {
  let dueAt = waiting.shift()
  while (dueAt !== undefined && performance.now() - dueAt > patienceMs) {
    result.notSent += 1
    dueAt = waiting.shift()
  }
  if (dueAt !== undefined) use(connection, dueAt)
  else if (rate === null && result.endedAt === 0) use(connection, performance.now())
  else free.push(connection)
}

let sent = 0
function use(connection: Connection, dueAt: number): void {
  const bytes = prepared[(sent += 1) % prepared.length] ?? Buffer.of()
  connection.send(bytes, (status) => count(status, performance.now() - dueAt))
}

function count(status: number, tookMs: number): void {
  if (status === 503) {
    result.refused += 1
    result.refusedMs.push(tookMs)
  } else if (status === 200) {
    const second = Math.floor((performance.now() - startedAt) / 1_000)
    result.useful += 1
    result.usefulMs.push(tookMs)
    result.usefulBySecond[second] = (result.usefulBySecond[second] ?? 0) + 1
  } else result.failed += 1
}

function sendVital(): void {
  for (const bytes of preparedVital) freeVital.pop()?.send(bytes, (status) => void (result.vital[status] = (result.vital[status] ?? 0) + 1))
}

let due = 0
function sendDue(): void {
  const now = performance.now()
  if (rate === null) for (let connection = free.pop(); connection; connection = free.pop()) use(connection, now)
  for (const until = ((now - startedAt) / 1_000) * (rate ?? 0); due < until; due += 1) {
    const connection = free.pop()
    if (connection) use(connection, now)
    else waiting.push(now)
  }
}

const vitalTimer = setInterval(sendVital, 100)
const timer = setInterval(sendDue, 1)
setTimeout(() => {
  clearInterval(timer)
  clearInterval(vitalTimer)
  result.endedAt = Date.now()
  waiting.length = 0
  // What is under way may end.
  setTimeout(() => process.stdout.write(`${JSON.stringify(summary())}\n`, () => process.exit()), 1_000)
}, seconds * 1_000)

function summary(): LoadResult {
  const quantiles = (values: readonly number[]): number[] => {
    const sorted = values.toSorted((a, b) => a - b)
    return [0.5, 0.99].map((share) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0))
  }
  return { ...result, refusedMs: quantiles(result.refusedMs), usefulMs: quantiles(result.usefulMs) }
}
