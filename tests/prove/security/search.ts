import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { mostSearches } from '../../../src/features/recordings/search/member-searches.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { connectRedis } from '../../../src/providers/redis/connection.ts'
import { createRedisStore } from '../../../src/providers/store/redis.ts'
import { createSqliteStore } from '../../../src/providers/store/sqlite.ts'
import { createRedisTranscriptIndex } from '../../../src/providers/transcripts/redis.ts'
import { createSqliteTranscriptIndex } from '../../../src/providers/transcripts/sqlite.ts'
import { startRedisServer } from '../../harness/redis-server.ts'
import { absentPhrase, commonWords, copyAnalysis, manySearches, wholeMatch, workspaceOf } from '../../harness/stored-transcripts.ts'
import { findOnPath } from '../../harness/system.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { type Client, createClient, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { startWatchedService, type WatchedService } from './watched.ts'
import { retentionOf } from '../../../src/wiring/stored-values.ts'

const analyses = 10_000
const utterances = 30
const runs = 20
const longestHoldMs = 50
const refused = 'INVALID_INPUT'

/** Words that every call has, a phrase that none has although all its words are there, and one page of each. */
const searches = { 'words of every call': commonWords, 'a phrase of no call': absentPhrase }

type Place = { readonly name: string; readonly settings: Record<string, string>; readonly open: () => Promise<Opened> }
type Opened = AsyncDisposable & Parameters<typeof copyAnalysis>[0]

/** One operation with the most searches that a member may have at once, as a manager, on 10,000 stored analyses, with all fields: how long it holds the event loop. */
export async function proveSearch(): Promise<readonly Figure[]> {
  await using dir = await createTempDir()
  const embedded = await proveOn({ name: 'SQLite', settings: { DATA_DIR: dir.path }, open: () => openFiles(dir.path) })
  const binary = await findOnPath(['redis-server', 'valkey-server'])
  if (binary === null) throw new Error('This needs redis-server or valkey-server on PATH')
  await using redis = await startRedisServer(binary)
  const settings = { REDIS_URL: redis.url, SECRETS_KEY: randomBytes(32).toString('base64') }
  return [...embedded, ...(await proveOn({ name: 'Redis', settings, open: () => openRedis(redis.url) }))]
}

async function proveOn({ name, settings, open }: Place): Promise<readonly Figure[]> {
  await using service = await startWatchedService({ settings })
  await using client = createClient()
  const token = tokensOf(await client.logIn(service.url, 'manager')).accessToken
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (query: string) => client.send(`${service.url}/graphql`, { headers, body: { query } })
  const callId = await firstRecorded(ask)
  await client.send(`${service.url}/api/recordings/analyze`, { headers, body: { callId } })
  say(`${name}: ${analyses} analyses with ${utterances} utterances are stored`)
  {
    await using opened = await open()
    await copyAnalysis(opened, { workspaceId: workspaceOf(token), callId, copies: analyses, utterances })
  }
  const figures: Figure[] = []
  for (const [what, text] of Object.entries(searches)) {
    const { first, query } = await dearestAccepted(ask, text)
    say(`${name}: ${runs} operations of ${mostSearches} searches of ${first} rows, ${what}`)
    figures.push(await figureOf(service, { name: `${name}, ${what}, ${first} rows each`, ask, query }))
  }
  return figures
}

/** All fields of as many rows as the cost of an operation allows. */
async function dearestAccepted(ask: Measured['ask'], text: string): Promise<{ readonly first: number; readonly query: string }> {
  for (const first of [50, 40, 30, 25, 20, 15, 10, 5, 1]) {
    const query = manySearches(mostSearches, { text, match: wholeMatch, first })
    if (outcomeOf((await ask(query)).body) !== refused) return { first, query }
  }
  throw new Error('no operation of so many searches is accepted')
}

type Measured = { readonly name: string; readonly ask: (query: string) => ReturnType<Client['send']>; readonly query: string }

async function figureOf(service: WatchedService, { name, ask, query }: Measured): Promise<Figure> {
  const quiet = await holds(service, () => ask('{ __typename }'))
  const codes = new Set<string>()
  const busy = await holds(service, async () => {
    const { tookMs, body } = await ask(query)
    codes.add(outcomeOf(body))
    return { tookMs }
  })
  return {
    claim: `${name}: ${analyses} analyses, one operation with ${mostSearches} searches, ${runs} times`,
    figure: `the longest hold is ${busy.heldMs.toFixed(0)} ms (${quiet.heldMs.toFixed(0)} ms without load); the slowest answer after ${(busy.tookMs / 1_000).toFixed(1)} s; answers: ${[...codes].join(', ')}`,
    holds: busy.heldMs <= longestHoldMs && !codes.has(refused),
  }
}

/** The most processor time between two rounds of the loop. What earlier requests left is collected before. */
async function holds(service: WatchedService, send: () => Promise<{ readonly tookMs: number }>) {
  await send()
  await service.read()
  await send()
  await service.read({ collect: false })
  let [heldMs, tookMs] = [0, 0]
  for (let run = 0; run < runs; run += 1) {
    tookMs = Math.max(tookMs, (await send()).tookMs)
    heldMs = Math.max(heldMs, (await service.read({ collect: false })).cpuMs)
  }
  return { heldMs, tookMs }
}

const answerSchema = z.object({ errors: z.array(z.object({ extensions: z.object({ reason: z.string() }) })).default([]) })

function outcomeOf(body: unknown): string {
  return answerSchema.parse(body).errors[0]?.extensions.reason ?? 'found'
}

const callsSchema = z.object({
  data: z.object({
    calls: z.object({
      edges: z.array(
        z.object({ node: z.object({ id: z.string(), recording: z.object({ primaryLinkUrl: z.string().nullable() }).nullable() }) }),
      ),
    }),
  }),
})

async function firstRecorded(ask: Measured['ask']): Promise<string> {
  const { body } = await ask('{ calls(first: 60) { edges { node { id recording { primaryLinkUrl } } } } }')
  const recorded = callsSchema.parse(body).data.calls.edges.find(({ node }) => (node.recording?.primaryLinkUrl ?? '') !== '')
  if (!recorded) throw new Error('no call has a recording')
  return recorded.node.id
}

async function openFiles(dataDir: string): Promise<Opened> {
  const store = createSqliteStore({ dataDir, clock: systemClock, retentionOf })
  const transcriptIndex = await createSqliteTranscriptIndex({ dataDir, clock: systemClock, log: createLog('error') })
  return { store, transcriptIndex, [Symbol.asyncDispose]: async () => void (await Promise.all([store.close(), transcriptIndex.close()])) }
}

async function openRedis(url: string): Promise<Opened> {
  const connection = await connectRedis({ url, log: createLog('error') })
  const store = createRedisStore({ connection, clock: systemClock, retentionOf })
  const transcriptIndex = createRedisTranscriptIndex({ connection, clock: systemClock })
  return { store, transcriptIndex, [Symbol.asyncDispose]: async () => connection[Symbol.asyncDispose]() }
}
