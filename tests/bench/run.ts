import { cpus, loadavg, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { createTempDir } from '../harness/temp-dir.ts'
import { startBareProxy, startNginx, startService, startUpstream } from './contenders.ts'
import { installHive, startHiveProxy, startHiveStitched, startSidecarSubgraph } from './hive.ts'
import { runLatency } from './latency.ts'
import { type Load, type Measured, measure, median } from './load.ts'
import { askOnce, firstStitchedQuery, measureStarts, unseenDocument } from './own-cost.ts'
import { type Contender, residentMb } from './processes.ts'
import { runQuick } from './quick.ts'
import { freePort } from '../harness/free-port.ts'

/**
 * `npm run bench`: the cost of an operation through this service, nginx, a bare undici proxy and Hive Gateway, alternating on one machine; then the
 * cost of start, memory, new documents and schemas. Prints tables for docs/benchmarks.md. Needs wrk on PATH, nginx for its row, and npm's
 * registry the first time (Hive is installed apart). `BENCH_SCHEMA=file.graphql` (or `--schema`) adds the first stitched query with that
 * schema. Takes about ten minutes. `--quick` and
 * `--latency` (`--only mixed,stitched`: a part of it) are other, shorter benchmarks: quick.ts, latency.ts.
 */
const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    renew: { type: 'boolean', default: false },
    latency: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    connections: { type: 'string' },
    schema: { type: 'string' },
  },
})
if (given.quick) process.exit(await runQuick(given))
if (given.latency) {
  await runLatency(given.only)
  process.exit()
}
const seconds = Number(given.seconds ?? 3)
const rounds = Number(given.rounds ?? 5)
const connectionCounts = (given.connections ?? '32,128').split(',').map(Number)
const schemaFile = given.schema ?? process.env['BENCH_SCHEMA']
const startedAt = performance.now()

const operation = (name: string, extra = ''): string =>
  JSON.stringify({
    operationName: name,
    query: `query ${name}($first: Int) { ${extra} leads(first: $first, orderBy: [{createdAt: "DescNullsLast"}]) { edges { node { id name city createdAt position } } } }`,
    variables: { first: 60 },
  })
const mixed = operation('Small', 'me { memberId }')

await using stack = new AsyncDisposableStack()
await installHive()
const platform = stack.use(await startUpstream({}))
const real = await measureStarts(platform.url, 5)
const sandbox = await measureStarts(null, 5)

const { path: dataDir } = stack.use(await createTempDir())
const service = stack.use(await startService(platform.url, dataDir))
const bare = stack.use(await startBareProxy(platform.url))
const nginx = await startNginx(platform.url, await freePort())
if (nginx) stack.use(nginx)
const hive = stack.use(await startHiveProxy(platform.url))
const sidecar = stack.use(await startSidecarSubgraph())
const stitched = stack.use(await startHiveStitched(platform.url, sidecar.url))
for (const contender of [service, stitched]) await checkMixed(contender)

const proxies: readonly Contender[] = [service, bare, ...(nginx ? [nginx] : []), hive]
const kinds = [
  { title: '400 B', body: operation('Small'), contenders: proxies },
  { title: '50 kB', body: operation('Medium'), contenders: proxies },
  { title: '1 MB', body: operation('Large'), contenders: proxies },
  { title: 'mixed', body: mixed, contenders: [service, stitched] },
]

const memory = Math.round(totalmem() / 2 ** 30)
console.log(
  `\`npm run bench\`, ${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, ${memory} GB, Node ${process.version}, ` +
    `load average at the start ${loadNow()}; median of ${rounds} x ${seconds} s, alternating; ratios are this service against the row's\n`,
)
console.log(
  '| answer | connections | before the platform | CPU µs a request | CPU: service / this | requests/s | throughput: service / this | p99 ms | p99: service / this |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
for (const kind of kinds) {
  for (const connections of connectionCounts) {
    const figures = await alternating(kind.contenders, { body: kind.body, connections, seconds })
    const own = figures.get(service)
    for (const [contender, measured] of figures)
      if (own) console.log(rowOf([kind.title, String(connections), contender.name], measured, own))
  }
}

console.log('\n| what | figure |\n|---|---|')
console.log(`| start to ready, before a platform elsewhere, warm (median, slowest) | ${real.readyMs} ms, ${real.slowestMs} ms |`)
console.log(`| start to ready, sandbox mode with its stand-ins, warm (median, slowest) | ${sandbox.readyMs} ms, ${sandbox.slowestMs} ms |`)
console.log(`| memory (RSS) with no stitched schema in use: 3 s after the start | ${real.memoryMb} MB |`)
console.log(`| the same after the load above | ${residentMb(service.pid)} MB |`)
console.log(`| memory in sandbox mode, stand-ins in the same process | ${sandbox.memoryMb} MB |`)
console.log(`| a document not seen before | ${(await unseenDocument(service, 3)).toFixed(0)} µs of CPU more than a known one |`)
if (schemaFile) {
  const { firstMs, nextMs, beforeMb, afterMb } = await firstStitchedQuery(schemaFile)
  const title = `a workspace's first stitched query, schema of ${(await sizeMb(schemaFile)).toFixed(1)} MB`
  console.log(`| ${title} | ${firstMs.toFixed(0)} ms, the next ${nextMs.toFixed(0)} ms; memory ${beforeMb} -> ${afterMb} MB |`)
}
console.log(`\nLoad average at the end ${loadNow()}; ${Math.round((performance.now() - startedAt) / 1_000)} s in all.`)

/** Measures the contenders alternately, so that other load on the machine affects all of them. */
async function alternating(contenders: readonly Contender[], load: Load): Promise<Map<Contender, Measured>> {
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

function rowOf(titles: readonly string[], measured: Measured, own: Measured): string {
  const ratio = (name: keyof Measured): string => (own === measured ? '' : (own[name] / measured[name]).toFixed(2))
  const { cpuPerRequest, perSecond, p99Ms } = measured
  const figures = [
    cpuPerRequest.toFixed(0),
    ratio('cpuPerRequest'),
    perSecond.toFixed(0),
    ratio('perSecond'),
    p99Ms.toFixed(1),
    ratio('p99Ms'),
  ]
  return `| ${[...titles, ...figures].join(' | ')} |`
}

async function checkMixed(contender: Contender): Promise<void> {
  const text = await askOnce(contender, mixed)
  if (!text.includes('"memberId":"') || !text.includes('"edges":[{') || text.includes('"errors"'))
    throw new Error(`The mixed operation fails at ${contender.name}: ${text.slice(0, 500)}`)
}

async function sizeMb(file: string): Promise<number> {
  const { stat } = await import('node:fs/promises')
  return (await stat(file)).size / 1e6
}

function loadNow(): string {
  return loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')
}
