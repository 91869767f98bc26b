import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { freePort } from '../harness/free-port.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { type Load, type Measured, measure, median, token } from './load.ts'
import { type Contender, cpuMicros, residentMb, startBareProxy, startHive, startNginx, startService, startUpstream } from './processes.ts'

/**
 * `npm run bench`: what an operation costs through this service, nginx, a bare undici proxy and Hive Gateway, in turns on one machine.
 * Needs wrk on PATH, nginx for its column, and npm's registry the first time (Hive is installed apart). `--schema FILE` adds what the
 * first stitched query costs with that schema.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32,128' },
    schema: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)

const operation = (name: string, extra = ''): string =>
  JSON.stringify({
    operationName: name,
    query: `query ${name}($first: Int) { ${extra} leads(first: $first, orderBy: [{createdAt: "DescNullsLast"}]) { edges { node { id name city createdAt position } } } }`,
    variables: { first: 60 },
  })
const kinds = [
  { title: '400 B', body: operation('Small') },
  { title: '50 kB', body: operation('Medium') },
  { title: '1 MB', body: operation('Large') },
  { title: 'mixed', body: operation('Small', 'me { memberId }') },
]

await using stack = new AsyncDisposableStack()
const platform = stack.use(await startUpstream(values.schema ? { BENCH_SCHEMA: values.schema } : {}))
const { path: dataDir } = stack.use(await createTempDir())
// The first start fills the compile cache: what is timed is a warm one.
await (await startService(platform.url, dataDir))[Symbol.asyncDispose]()
const service = stack.use(await startService(platform.url, dataDir))
await checkMixed()
const memoryAtStart = residentMb(service.pid)
const nginx = await startNginx(platform.url, await freePort())
if (nginx) stack.use(nginx)
const bare = stack.use(await startBareProxy(platform.url))
const hive = stack.use(await startHive(platform.url, await freePort()))
const proxies: readonly Contender[] = [service, bare, ...(nginx ? [nginx] : []), hive]

console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, Node ${process.version}; median of ${rounds} x ${seconds} s\n`,
)
console.log('| answer | connections | before the platform | CPU µs a request | against bare | requests/s | p99 ms |')
console.log('|---|---|---|---|---|---|---|')
for (const kind of kinds) {
  for (const connections of values.connections.split(',').map(Number)) {
    const contenders = kind.title === 'mixed' ? [service, hive] : proxies
    const figures = await inTurns(contenders, { body: kind.body, connections, seconds })
    const reference = figures.get(kind.title === 'mixed' ? service : bare)?.cpuPerRequest ?? 1
    for (const [contender, { cpuPerRequest, perSecond, p99Ms }] of figures) {
      const ratio = (cpuPerRequest / reference).toFixed(2)
      console.log(
        `| ${kind.title} | ${connections} | ${contender.name} | ${cpuPerRequest.toFixed(0)} | ${ratio} | ${perSecond.toFixed(0)} | ${p99Ms.toFixed(1)} |`,
      )
    }
  }
}
console.log(
  `\nStart to ready: ${service.readyMs} ms. Memory: ${memoryAtStart} MB at the start, ${residentMb(service.pid)} MB after the load, no stitched schema in use.`,
)
console.log(`A document not seen before: ${(await unseenDocument()).toFixed(0)} µs of CPU more than a known one.`)
if (values.schema) console.log(await firstStitchedQuery())

/** Contenders in turns, so that what the machine does besides falls on all of them. */
async function inTurns(contenders: readonly Contender[], load: Load): Promise<Map<Contender, Measured>> {
  for (const contender of contenders) await measure(contender, { ...load, seconds: 1 })
  const figures = new Map<Contender, Measured[]>(contenders.map((contender) => [contender, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [contender, measured] of figures) measured.push(await measure(contender, load))
  }
  const middle = (measured: readonly Measured[], name: keyof Measured): number => median(measured.map((one) => one[name]))
  return new Map(
    [...figures].map(([contender, measured]) => [
      contender,
      { cpuPerRequest: middle(measured, 'cpuPerRequest'), perSecond: middle(measured, 'perSecond'), p99Ms: middle(measured, 'p99Ms') },
    ]),
  )
}

async function checkMixed(): Promise<void> {
  const text = await askService(operation('Small', 'me { memberId }'))
  if (!text.includes('"me":{"memberId"') || !text.includes('"leads"') || text.includes('"errors"'))
    throw new Error(`The mixed operation fails: ${text.slice(0, 500)}`)
}

async function askService(body: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body })
  return response.text()
}

async function unseenDocument(): Promise<number> {
  const cost = async (queryOf: (index: number) => string): Promise<number> => {
    const before = cpuMicros(service.pid)
    for (let index = 0; index < 3_000; index += 1) await askService(JSON.stringify({ query: queryOf(index) }))
    return (cpuMicros(service.pid) - before) / 3_000
  }
  const query = (name: string): string =>
    `query ${name} { leads(first: 60) { edges { node { id name city createdAt position owner { id name } } } } }`
  const known = await cost(() => query('Small'))
  return (await cost((index) => query(`Small${index}`))) - known
}

async function firstStitchedQuery(): Promise<string> {
  const before = residentMb(service.pid)
  const ask = async (): Promise<number> => {
    const startedAt = performance.now()
    const text = await askService(JSON.stringify({ query: '{ __type(name: "Lead") { name } leads(first: 1) { edges { node { id } } } }' }))
    if (!text.includes('"data"')) throw new Error(text.slice(0, 500))
    return performance.now() - startedAt
  }
  const first = await ask()
  const second = await ask()
  return `First stitched query with ${values.schema}: ${first.toFixed(0)} ms, the next ${second.toFixed(0)} ms; memory ${before} -> ${residentMb(service.pid)} MB.`
}
