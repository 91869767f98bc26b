import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { createBreakers } from '../../../src/kernel/breakers.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { createFigures } from '../../../src/ports/figures.ts'
import { openStores } from '../../../src/providers/open-stores.ts'
import { startRedisServer } from '../../harness/redis-server.ts'
import { findOnPath } from '../../harness/system.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { createClient, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { type DearOperation, dearOperations } from './members/dear-operations.ts'
import { callIds, storeCalls, storedCalls } from './members/stored-calls.ts'
import type { LoopHold } from '../../harness/loop-watch.ts'
import { startWatchedService, type WatchedService } from './watched.ts'
import { retentionOf } from '../../../src/wiring/stored-values.ts'

const longestHoldMs = 50
const runs = 20
/** A field whose runs take longer in all gets fewer of them; a subscription is read for so long. */
const patienceMs = 20_000
const streamMs = 100

type Store = 'SQLite' | 'Redis'
/** `ownMs`: without collections of garbage. `collections`: how many there were, and the longest. */
type Hold = Pick<LoopHold, 'cpuMs' | 'wallMs' | 'ownMs' | 'collections'>
type Measured = Hold & {
  readonly operation: DearOperation
  /** What 19 of 20 runs hold at most, without collections of garbage. */
  readonly usualMs: number
  readonly runs: number
  readonly tookMs: number
  readonly error: string | null
}

/**
 * How long the dearest operations that a member may send hold the event loop of the service, with 10,000 stored analyses: every root field of the
 * contract, with the most aliases and the longest lists that its cost allows. `only`: the name of one root field, or of a store. A collection of garbage
 * falls in the run of any operation, also of one that makes no garbage. So the limit is for the operation's own work, in 19 of 20 runs: V8 reports
 * collections, but not the steps in which it marks what is in use. The longest hold of all is beside it.
 */
export async function proveMembers(only?: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const store of ['SQLite', 'Redis'] as const) {
    if (only === undefined || only.toLowerCase() === store.toLowerCase() || !/^(sqlite|redis)$/i.test(only)) {
      figures.push(...(await proveStore(store, /^(sqlite|redis)$/i.test(only ?? '') ? undefined : only)))
    }
  }
  return figures
}

async function proveStore(store: Store, only: string | undefined): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack()
  const { path: dataDir } = stack.use(await createTempDir())
  const redisUrl = store === 'Redis' ? stack.use(await startRedis()).url : null
  const settings = {
    DATA_DIR: dataDir,
    ...(redisUrl !== null && { REDIS_URL: redisUrl, SECRETS_KEY: randomBytes(32).toString('base64') }),
  }
  const service = stack.use(await startWatchedService({ settings }))
  await using client = createClient()
  const tokens = {
    agent: tokensOf(await client.logIn(service.url, 'agent1')).accessToken,
    manager: tokensOf(await client.logIn(service.url, 'manager')).accessToken,
  }
  const owner = await ownerOf(service.url, tokens.agent)
  say(`${store}: ${storedCalls} analyses are stored`)
  await storeAll({ dataDir, redisUrl }, owner)
  const now = Date.now()
  const dateAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const known = { callIds, agentId: owner.agentId, from: dateAt(now - 365 * 86_400_000), to: dateAt(now) }
  const operations = dearOperations(known).filter(({ field }) => only === undefined || field === only)
  const figures: Figure[] = []
  for (const role of ['agent', 'manager'] as const) {
    const measured: Measured[] = []
    for (const operation of operations) measured.push(await measure(service, { operation, token: tokens[role] }))
    figures.push(figureOf({ store, role, measured, quiet: await quietHold(service) }))
  }
  return figures
}

async function startRedis() {
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  if (binary === null) throw new Error('This needs redis-server or valkey-server on PATH')
  return startRedisServer(binary)
}

const ownerSchema = z.object({
  data: z.object({ me: z.object({ workspace: z.object({ id: z.string() }), agent: z.object({ id: z.string() }) }) }),
})
type Owner = { readonly workspaceId: string; readonly agentId: string }

async function ownerOf(url: string, token: string): Promise<Owner> {
  const { workspace, agent } = ownerSchema.parse(
    JSON.parse((await send(url, { query: '{ me { workspace { id } agent { id } } }', token })).text),
  ).data.me
  return { workspaceId: workspace.id, agentId: agent.id }
}

async function storeAll(place: { dataDir: string; redisUrl: string | null }, owner: Owner): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const log = createLog('error')
  const stores = await openStores(place, { log, clock: systemClock, retentionOf, stack }, createBreakers(log))
  await storeCalls({ ...stores, clock: systemClock, figures: createFigures(), log }, owner)
}

type Sent = { readonly query: string; readonly token: string; readonly variables?: object; readonly isStream?: boolean }

async function send(url: string, { query, token, variables, isStream = false }: Sent): Promise<{ text: string }> {
  const leaving = new AbortController()
  const headers = {
    'content-type': 'application/json',
    accept: isStream ? 'text/event-stream' : 'application/json',
    authorization: `Bearer ${token}`,
  }
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
    signal: leaving.signal,
  })
  if (!isStream) return { text: await answer.text() }
  await pause(streamMs)
  leaving.abort()
  return { text: '' }
}

async function measure(service: WatchedService, { operation, token }: { operation: DearOperation; token: string }): Promise<Measured> {
  const { query, variables, kind } = operation
  const startedAt = performance.now()
  const holds: Hold[] = []
  let text = ''
  while (holds.length < runs && performance.now() - startedAt < patienceMs) {
    await service.read({ collect: false })
    ;({ text } = await send(service.url, { query, token, variables, isStream: kind === 'subscription' }))
    holds.push(await service.read({ collect: false }))
  }
  const done = holds.length
  const tookMs = (performance.now() - startedAt) / done
  const hold = longestOf(holds)
  const usualMs = holds.map(({ ownMs }) => ownMs).toSorted((one, other) => one - other)[Math.ceil(0.95 * done) - 1] ?? 0
  const error = errorOf(text)
  const { field, shape, aliases, cost } = operation
  say(
    `${usualMs > longestHoldMs ? 'HELD ' : ''}${field}, ${shape}: ${aliases} aliases, cost ${cost}, ${Math.ceil(text.length / 1_024)} kB, ${done} runs of ${tookMs.toFixed(0)} ms: ${usualMs.toFixed(0)} ms, at most ${hold.ownMs.toFixed(0)}, ${hold.cpuMs.toFixed(0)} with collections (wall ${hold.wallMs.toFixed(0)}; ${collectionsOf(hold)})${error === null ? '' : ` ${error}`}`,
  )
  return { ...hold, operation, usualMs, runs: done, tookMs, error }
}

function longestOf(holds: readonly Hold[]): Hold {
  const longest = (of: (hold: Hold) => number): number => Math.max(0, ...holds.map(of))
  return {
    cpuMs: longest(({ cpuMs }) => cpuMs),
    wallMs: longest(({ wallMs }) => wallMs),
    ownMs: longest(({ ownMs }) => ownMs),
    collections: {
      count: holds.reduce((sum, { collections }) => sum + collections.count, 0),
      longestMs: longest(({ collections }) => collections.longestMs),
    },
  }
}

function collectionsOf({ collections: { count, longestMs } }: Hold): string {
  return `${count.toLocaleString('en')} collections of garbage, the longest ${longestMs.toFixed(0)} ms`
}

function errorOf(text: string): string | null {
  const start = text.indexOf('"errors":')
  return start === -1 ? null : text.slice(start, start + 120)
}

/** Without any request but those that read it. */
async function quietHold(service: WatchedService): Promise<Hold> {
  const holds: Hold[] = []
  for (let run = 0; run < runs; run += 1) {
    await service.read({ collect: false })
    await pause(100)
    holds.push(await service.read({ collect: false }))
  }
  return longestOf(holds)
}

type Of = { readonly store: Store; readonly role: string; readonly measured: readonly Measured[]; readonly quiet: Hold }

function figureOf({ store, role, measured, quiet }: Of): Figure {
  const fields = new Set(measured.map(({ operation }) => operation.field))
  const [worst] = measured.toSorted((one, other) => other.usualMs - one.usualMs)
  const usualMs = worst?.usualMs ?? 0
  const overBy = (of: (one: Measured) => number): string =>
    measured
      .filter((one) => of(one) > longestHoldMs)
      .map((one) => `${one.operation.field} ${of(one).toFixed(0)} ms`)
      .join(', ') || 'none'
  const all = longestOf(measured)
  const fewest = Math.min(...measured.map((one) => one.runs))
  const name = worst ? `${worst.operation.field}, ${worst.operation.shape}` : 'nothing'
  return {
    claim: `${store}, ${role}: ${fields.size} root fields with ${storedCalls.toLocaleString('en')} stored analyses, the dearest operations that are accepted`,
    figure: [
      `without collections of garbage, 19 of 20 runs hold at most ${usualMs.toFixed(0)} ms of processor time (${name}), all runs ${all.ownMs.toFixed(0)} ms`,
      `with collections ${all.cpuMs.toFixed(0)} ms, ${all.wallMs.toFixed(0)} ms by the clock; ${collectionsOf(all)}`,
      `without load ${quiet.cpuMs.toFixed(0)} ms and ${quiet.wallMs.toFixed(0)} ms; ${fewest} to ${runs} runs of each`,
      `over ${longestHoldMs} ms in 19 of 20 runs: ${overBy((one) => one.usualMs)}; in one: ${overBy(({ ownMs }) => ownMs)}; with collections: ${overBy(({ cpuMs }) => cpuMs)}`,
    ].join('; '),
    holds: measured.length > 0 && usualMs <= longestHoldMs,
  }
}
