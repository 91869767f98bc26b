import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { playCall } from '../calls/traffic.ts'
import { createClient, inFlight, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { startWatchedService } from './watched.ts'

const managers = 150
const streamsEach = 20
const longestHoldMs = 50
const events = 15
const quietMs = 1_500
const queries = ['subscription { callEvents { kind call { ucid phase } } }', 'subscription { supervisionUpdates { at } }'] as const

/** One event that 3,000 streams show: how long it holds the event loop of the service, in processor time between two rounds of the loop. */
export async function proveStreams(): Promise<readonly Figure[]> {
  await using service = await startWatchedService({ agents: managers })
  await using client = createClient()
  say(`${managers} managers sign in`)
  for (let number = 1; number <= managers; number += 1) await makeManager(service.platformUrl, `load${number}`)
  const tokens = await inFlight(managers, 5, async (index) => tokensOf(await client.logIn(service.url, `load${index + 1}`)).accessToken)
  const options = { headers: { authorization: `Bearer ${tokens[0]}` }, body: { provider: 'ozonetel' } }
  const keys = await client.send(`${service.url}/api/calls/callback-keys`, options)
  const { path } = z.object({ path: z.string() }).parse(keys.body)
  say(`${managers * streamsEach} streams`)
  using readers = createReaders(service.url)
  await inFlight(managers * streamsEach, 20, (index) => readers.open(queries[index % queries.length] ?? '', tokens[index % managers] ?? ''))
  await readers.quiet()
  const held: number[] = []
  let slowestMs = 0
  let reached = Number.POSITIVE_INFINITY
  for (let event = 0; event < events; event += 1) {
    const beganAt = Math.floor(Date.now() / 1_000) * 1_000
    const [posting] = playCall(event, () => 0.5, { beganAt, agentId: `load${event + 1}` }).postings
    const before = readers.received()
    await service.read({ collect: false })
    const startedAt = performance.now()
    await fetch(service.url + path, { method: 'POST', headers: { 'content-type': posting?.contentType ?? '' }, body: posting?.body ?? '' })
    slowestMs = Math.max(slowestMs, (await readers.quiet()) - startedAt)
    const hold = await service.read({ collect: false })
    say(`the longest hold is ${hold.cpuMs.toFixed(0)} ms`)
    held.push(hold.cpuMs)
    reached = Math.min(reached, readers.changedSince(before))
  }
  // A collection of garbage falls into some of them, and takes more than the event.
  const heldMs = held.toSorted((one, other) => one - other)[Math.floor(events / 2)] ?? Number.POSITIVE_INFINITY
  say('the service stops')
  const stopMs = await service.stop()
  return [
    {
      claim: `from the signal to stop to the end of the process, with ${managers * streamsEach} streams open`,
      figure: `${(stopMs / 1_000).toFixed(2)} s`,
      holds: stopMs <= 1_000,
    },
    {
      claim: `one webhook of a call, shown by ${managers * streamsEach} streams of ${managers} managers (calls and supervision), ${events} times`,
      figure: `the longest hold of an event is ${heldMs.toFixed(0)} ms at the median, ${Math.max(...held).toFixed(0)} ms at most, with V8's collections of garbage; ${reached} streams showed it, the last after ${(slowestMs / 1_000).toFixed(1)} s`,
      holds: heldMs < longestHoldMs && reached === managers * streamsEach,
    },
  ]
}

async function makeManager(platformUrl: string, name: string): Promise<void> {
  const body = JSON.stringify({ workspace: 'demo', email: `${name}@demo.example`, role: 'Manager' })
  const answer = await fetch(`${new URL(platformUrl).origin}/_sandbox/set-role`, { method: 'POST', body })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Streams over server-sent events, each on a connection of its own; only their bytes are counted. */
function createReaders(url: string) {
  const agent = new Agent()
  const bytes: number[] = []
  let changedAt = performance.now()
  const open = (query: string, token: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` }
      const place = bytes.push(0) - 1
      const asked = request(`${url}/graphql`, { method: 'POST', agent, headers }, (response) => {
        response.on('data', (chunk: Buffer) => {
          // Not those that only show that the connection lives.
          if (!chunk.includes('data: {')) return
          bytes[place] = (bytes[place] ?? 0) + chunk.length
          changedAt = performance.now()
        })
        response.on('error', () => undefined)
        if (response.statusCode === 200) resolve()
        else reject(new Error(`a stream was refused: ${response.statusCode}`))
      })
      asked.on('error', reject).end(JSON.stringify({ query }))
    })
  return {
    open,
    /** Resolves when nothing has come for a while, to the moment of the last piece. */
    async quiet(): Promise<number> {
      changedAt = performance.now()
      while (performance.now() - changedAt < quietMs) await pause(50)
      return changedAt
    },
    received: (): readonly number[] => [...bytes],
    changedSince: (before: readonly number[]): number => bytes.filter((count, index) => count !== before[index]).length,
    [Symbol.dispose]: () => agent.destroy(),
  }
}
