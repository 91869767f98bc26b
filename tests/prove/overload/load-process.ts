import { readFileSync } from 'node:fs'
import { Connection } from './connection.ts'
import { loadSchema, type LoadResult } from './load.ts'
import { createVitalRequests } from './vital-traffic.ts'
import { consoleMix } from './operations.ts'
import { createBytesOf } from './request-bytes.ts'

/**
 * Sends the mix of agents' consoles in a process of its own, and prints the result as one line of JSON: in a closed loop, or so many requests a second
 * whether the others are answered or not. Beside them webhooks, heartbeats and sign-outs.
 */
const load = loadSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))
const { rate, seconds, connections } = load
const url = new URL(load.url)

const result: LoadResult = {
  useful: 0,
  refused: 0,
  failed: {},
  notSent: 0,
  refusedMs: [],
  usefulMs: [],
  kinds: {},
  vital: {},
  vitalMs: [],
  usefulBySecond: [],
  endedAt: 0,
}
const addOne = (counts: Record<string, number>, name: string): void => void (counts[name] = (counts[name] ?? 0) + 1)

const bytesOf = createBytesOf(url)
type Prepared = { readonly kind: string; readonly bytes: Buffer }
/** A hundred requests in the order of sending: each kind is spread over them. */
const prepared: readonly Prepared[] = consoleMix
  .flatMap(([kind, share, operation]) => Array.from({ length: share }, (_, index) => ({ kind, operation, place: (index + 0.5) / share })))
  .toSorted((one, other) => one.place - other.place)
  .flatMap(({ kind, operation }, place) => {
    const token = load.tokens[place % load.tokens.length] ?? ''
    return [{ kind, bytes: bytesOf({ ...operation, token }) }]
  })

const free = [...(await Connection.open(url, connections, (connection) => release(connection)))]
const freeVital = [...(await Connection.open(url, 64, (connection) => void freeVital.push(connection)))]
const startedAt = performance.now()
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
  const next = prepared[(sent += 1) % prepared.length]
  if (!next) return
  connection.send(next.bytes, ({ status, errors, saysWhenAgain }) => {
    const tookMs = performance.now() - dueAt
    if (status === 503 && saysWhenAgain) {
      result.refused += 1
      result.refusedMs.push(tookMs)
    } else if (status === 200 && errors === '') {
      const second = Math.floor((performance.now() - startedAt) / 1_000)
      result.useful += 1
      result.usefulMs.push(tookMs)
      result.usefulBySecond[second] = (result.usefulBySecond[second] ?? 0) + 1
      addOne(result.kinds, next.kind)
    } else addOne(result.failed, `${next.kind} ${status} ${errors}`)
  })
}

const unanswered = new Set<{ readonly kind: string }>()
const nextVital = createVitalRequests(load, bytesOf)
function sendVital(): void {
  for (const vital of nextVital()) {
    const { kind, bytes } = vital
    const sentAt = performance.now()
    const connection = freeVital.shift()
    if (!connection) {
      addOne(result.vital, `${kind} not sent`)
      continue
    }
    unanswered.add(vital)
    connection.send(bytes, ({ status, errors }) => {
      unanswered.delete(vital)
      addOne(result.vital, `${kind} ${status}${errors}`)
      result.vitalMs.push(performance.now() - sentAt)
    })
  }
}

let due = 0
function sendDue(): void {
  const now = performance.now()
  if (rate === null) for (let connection = free.shift(); connection; connection = free.shift()) use(connection, now)
  for (const until = ((now - startedAt) / 1_000) * (rate ?? 0); due < until; due += 1) {
    const connection = free.shift()
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
  result.notSent += waiting.length
  waiting.length = 0
  // What is under way may end.
  setTimeout(() => process.stdout.write(`${JSON.stringify(summary())}\n`, () => process.exit()), 1_000)
}, seconds * 1_000)

function summary(): LoadResult {
  for (const { kind } of unanswered) addOne(result.vital, `${kind} not answered`)
  const quantiles = (values: readonly number[]): number[] => {
    const sorted = values.toSorted((a, b) => a - b)
    return [0.5, 0.95, 0.99, 1].map((share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0))
  }
  return { ...result, refusedMs: quantiles(result.refusedMs), usefulMs: quantiles(result.usefulMs), vitalMs: quantiles(result.vitalMs) }
}
