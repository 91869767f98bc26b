import { cpus, loadavg, totalmem } from 'node:os'
import { Pool } from 'undici'
import { z } from 'zod'
import { freePort } from '../harness/free-port.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { startBareProxy, startNginx, startServiceWith } from './contenders.ts'
import { installHive, startHiveProxy, startHiveStitched, startSidecarSubgraph } from './hive.ts'
import { type Contender, startProcess } from './processes.ts'

/**
 * `npm run bench -- --latency`: how much later than the platform alone an answer comes, through this service and others. The platform answers in
 * chunks after 3 to 30 ms. In each round the platform has one delay, and each contender is asked once, in random order. Prints tables for
 * docs/benchmarks.md: milliseconds of an answer beyond the delay of its round.
 */
const shortestDelayMs = 3
const longestDelayMs = 30
/** Asked at once after each other before the rounds: what runs seldom is not compiled, and a service runs for days. */
const warmUps = 1_500
const rounds = 350
const logIns = 200
const logInWarmUps = 100

type Row = { readonly name: string; readonly contender: Pick<Contender, 'url'>; readonly body: string }
type Kind = { readonly title: string; readonly rows: readonly Row[] }
type Late = { readonly platform: Contender; readonly poolOf: (contender: Pick<Contender, 'url'>) => Pool; readonly token: string }

const logInTitle = 'sign-in of a manager, beyond the time in which the platform works'
const leads = '{ edges { node { id name city createdAt position } } }'
const passThrough = (bytes: number): string =>
  JSON.stringify({ query: `query Leads($first: Int) { leads(first: $first) ${leads} }`, variables: { first: bytes } })
const mixed = JSON.stringify({
  query: `query Leads($first: Int) { me { memberId } leads(first: $first) ${leads} }`,
  variables: { first: 3_000 },
})
const records = (name: string, added = ''): string =>
  JSON.stringify({ query: `{ ${name}(first: 20) { edges { node { id createdAt ${added} } } } }` })
const credentials = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }

/** `only`: the operations whose titles contain one of these, separated by commas. */
export async function runLatency(only: string): Promise<void> {
  await installHive()
  await using stack = new AsyncDisposableStack()
  const { platform, settings } = await startLatePlatform(stack)
  const { path } = stack.use(await createTempDir())
  const service = stack.use(await startServiceWith({ ...settings, DATA_DIR: path }))
  const bare = stack.use(await startBareProxy(platform.url))
  const nginx = await startNginx(platform.url, await freePort())
  if (nginx) stack.use(nginx)
  const hive = stack.use(await startHiveProxy(platform.url))
  const sidecar = stack.use(await startSidecarSubgraph())
  const stitched = stack.use(await startHiveStitched(platform.url, sidecar.url))
  const pools = new Map<string, Pool>()
  stack.defer(async () => void (await Promise.all([...pools.values()].map((pool) => pool.destroy()))))
  const poolOf: Late['poolOf'] = ({ url }) => {
    const pool = pools.get(url) ?? new Pool(url, { connections: 1 })
    pools.set(url, pool)
    return pool
  }
  const late: Late = { platform, poolOf, token: await logIn(poolOf(service)) }
  const direct = { ...platform, name: 'the platform alone' }
  const proxies = [direct, bare, ...(nginx ? [nginx] : []), service, hive]
  const kinds: readonly Kind[] = [
    ...[250, 3_000, 50_000].map((bytes) => ({
      title: `pass-through ${bytes < 1_000 ? `${bytes} B` : `${bytes / 1_000} kB`}`,
      rows: proxies.map((contender) => ({ name: contender.name, contender, body: passThrough(bytes) })),
    })),
    {
      title: 'mixed 3 kB',
      rows: [
        ...[direct, bare].map((contender) => ({ name: contender.name, contender, body: passThrough(3_000) })),
        ...[service, stitched].map((contender) => ({ name: contender.name, contender, body: mixed })),
      ],
    },
    ...(['insight { summary suggestedAction }', 'analysis { summary language }'] as const).map((added, index) => {
      const name = ['leads', 'calls'][index] ?? ''
      const rows = [
        ...[direct, bare].map((contender) => ({ name: contender.name, contender, body: records(name) })),
        { name: service.name, contender: service, body: records(name, added) },
      ]
      return { title: `stitched, 20 ${name} with ${added.split(' ', 1)[0] ?? ''}`, rows }
    }),
  ]
  const memory = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, ${memory} GB, Node ${process.version}, load average at the start ${loadavg()[0]?.toFixed(1) ?? ''}`
  console.log(`\`npm run bench -- --latency\`, ${new Date().toISOString().slice(0, 10)}, ${machine}\n`)
  console.log('| operation | asked | p50 ms | p95 ms | p99 ms | rounds |\n|---|---|---|---|---|---|')
  const isWanted = (title: string): boolean => only.split(',').some((part) => title.includes(part))
  for (const kind of kinds) if (isWanted(kind.title)) await printKind(kind, late)
  if (isWanted(logInTitle)) await printLogIns(service, late)
}

async function printKind({ title, rows }: Kind, late: Late): Promise<void> {
  const beyond = new Map<Row, number[]>(rows.map((row) => [row, []]))
  await setDelay(late, 0)
  for (const row of rows) for (let index = 0; index < warmUps; index += 1) await ask(row, late)
  for (let round = 0; round < rounds; round += 1) {
    const delayMs = await nextDelay(late)
    for (const row of shuffled(rows)) beyond.get(row)?.push((await ask(row, late)) - delayMs)
  }
  for (const [{ name }, times] of beyond) console.log(`| ${title} | ${name} | ${percentiles(times)} | ${rounds} |`)
}

/**
 * Beside the requests of a sign-in, sent to the platform one after another as a client would without this service. The platform does the same work
 * each time, so what it needed is subtracted.
 */
async function printLogIns(service: Contender, late: Late): Promise<void> {
  await logIn(late.poolOf(service))
  await setDelay(late, 0)
  await logIn(late.poolOf(service))
  const { asked } = await setDelay(late, randomDelay())
  const ways: readonly LogInWay[] = [
    { name: `the platform alone, its ${asked.length} requests`, times: [], run: () => sendAll(asked, late) },
    { name: service.name, times: [], run: () => logIn(late.poolOf(service)) },
  ]
  for (let round = -logInWarmUps; round < logIns; round += 1) {
    const delayMs = randomDelay()
    for (const { times, run } of shuffled(ways)) {
      await setDelay(late, delayMs)
      const startedAt = performance.now()
      await run()
      const tookMs = performance.now() - startedAt
      const { busyMs } = await setDelay(late, delayMs)
      if (round >= 0) times.push(tookMs - busyMs)
    }
  }
  for (const { name, times } of ways) console.log(`| ${logInTitle} | ${name} | ${percentiles(times)} | ${logIns} |`)
}

type LogInWay = { readonly name: string; readonly times: number[]; readonly run: () => Promise<unknown> }

async function sendAll(asked: readonly Asked[], { platform, poolOf }: Late): Promise<void> {
  for (const { path, authorization, body } of asked) {
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...(authorization && { authorization }) }
    const answer = await poolOf(platform).request({ path, method: 'POST', headers, body })
    const text = await answer.body.text()
    if (answer.statusCode !== 200 || text.includes('"errors"')) throw new Error(`The platform: ${text.slice(0, 500)}`)
  }
}

async function ask({ contender, body }: Row, { poolOf, token }: Late): Promise<number> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` }
  const startedAt = performance.now()
  const answer = await poolOf(contender).request({ path: '/graphql', method: 'POST', body, headers })
  const text = await answer.body.text()
  const tookMs = performance.now() - startedAt
  if (answer.statusCode !== 200 || text.includes('"errors"')) throw new Error(`${contender.url}: ${text.slice(0, 500)}`)
  return tookMs
}

const loginSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

async function logIn(pool: Pool): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const answer = await pool.request({ path: '/auth/login', method: 'POST', headers, body: JSON.stringify(credentials) })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`A sign-in got ${answer.statusCode}: ${text}`)
  return loginSchema.parse(JSON.parse(text)).tokens.accessToken.token
}

async function startLatePlatform(
  stack: AsyncDisposableStack,
): Promise<{ platform: Contender; settings: Readonly<Record<string, string>> }> {
  let settings: Readonly<Record<string, string>> = {}
  const ready = (output: string): string | null => {
    const line = /^\{.*\}$/m.exec(output)?.[0]
    if (line === undefined) return null
    settings = z.record(z.string(), z.string()).parse(JSON.parse(line))
    return settings['PLATFORM_URL'] ?? null
  }
  const args = ['tests/bench/late-platform.ts']
  const platform = stack.use(await startProcess('platform', { command: process.execPath, args, ready }))
  return { platform, settings }
}

function randomDelay(): number {
  return shortestDelayMs + Math.random() * (longestDelayMs - shortestDelayMs)
}

async function nextDelay(late: Late): Promise<number> {
  const delayMs = randomDelay()
  await setDelay(late, delayMs)
  return delayMs
}

const askedSchema = z.object({ path: z.string(), authorization: z.string(), body: z.string() })
const sinceSchema = z.object({ busyMs: z.number(), asked: z.array(askedSchema) })
type Asked = z.output<typeof askedSchema>

/** `busyMs`: how long requests were under way on the platform since the delay was set before; `asked`: these requests. */
async function setDelay({ platform, poolOf }: Late, delayMs: number): Promise<z.output<typeof sinceSchema>> {
  const answer = await poolOf(platform).request({ path: `/delay/${delayMs}`, method: 'POST' })
  return sinceSchema.parse(await answer.body.json())
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

function percentiles(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  return [0.5, 0.95, 0.99].map((share) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)).join(' | ')
}
