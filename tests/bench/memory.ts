import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { Pool } from 'undici'
import { z } from 'zod'
import { createTempDir } from '../harness/temp-dir.ts'
import { startService, startUpstream } from './contenders.ts'
import { token } from './load.ts'
import { machine } from './machine.ts'
import type { Contender } from './processes.ts'

/**
 * `npm run bench:memory`: what each module costs when it is imported, what the service holds idle, and what it holds a minute after a load. With
 * `--part modules` or `--part service` only one of them. Takes about four minutes.
 */
const { values: given } = parseArgs({ options: { part: { type: 'string' } } })

const imports = [
  'graphql',
  'zod',
  'undici',
  'graphql-yoga',
  '@graphql-tools/schema',
  'libphonenumber-js',
  'ws',
  'prom-client',
  'jose',
  'pino',
  'rate-limiter-flexible',
  './src/settings/settings.ts',
  './src/wiring/ports.ts',
  './src/wiring/features.ts',
  './src/app.ts',
  './src/server/graphql/stitching/build-schema.ts',
  './src/providers/broker/kafka/kafka-bus.ts',
  './src/providers/models/sdk.ts',
  './src/providers/tracing/open-tracing.ts',
  '@graphql-yoga/render-graphiql',
]

/** Prints the private memory, in MB, that an import has added after two collections. */
const importing = (module: string): string => `
  import { readFileSync } from 'node:fs'
  const held = () => Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
  const before = held()
  await import(${JSON.stringify(module)})
  for (let time = 0; time < 2; time += 1) gc({ type: 'major', flavor: 'last-resort' })
  console.log(held() - before)`

const run = promisify(execFile)

async function importCost(module: string): Promise<number> {
  const resolved = module.startsWith('.') ? new URL(`../../${module}`, import.meta.url).href : import.meta.resolve(module)
  const args = ['--import', './src/commands/require-node.mjs', '--expose-gc', '--input-type=module', '--eval', importing(resolved)]
  // The first run fills the compile cache.
  await run(process.execPath, args)
  return Number((await run(process.execPath, args)).stdout)
}

type Held = { readonly resident: number; readonly own: number; readonly heap: number; readonly external: number }

/** In MB: resident and private memory of the process; heap and external memory of its main thread. */
async function heldBy({ pid, url }: Contender): Promise<Held> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const bytes = (name: string): number => z.coerce.number().parse(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]) / 1_048_576
  return {
    resident: kilobytes('VmRSS'),
    own: kilobytes('RssAnon'),
    heap: bytes('nodejs_heap_size_total_bytes'),
    external: bytes('nodejs_external_memory_bytes'),
  }
}

const operation = (name: string, local = ''): string =>
  JSON.stringify({
    operationName: name,
    query: `query ${name}($first: Int) { ${local} leads(first: $first) { edges { node { id name city createdAt position } } } }`,
    variables: { first: 60 },
  })
const bodies = [
  operation('Small'),
  operation('Medium'),
  operation('Large'),
  operation('Small', 'me { memberId }'),
  '{"query":"{ me { memberId role } }"}',
]

/** Sends operations of all kinds in turn over 32 connections. */
async function load({ url }: Contender, forMs: number): Promise<number> {
  await using pool = { pool: new Pool(url, { connections: 32 }), [Symbol.asyncDispose]: () => pool.pool.destroy() }
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` }
  const until = performance.now() + forMs
  let sent = 0
  const send = async (): Promise<void> => {
    while (performance.now() < until) {
      sent += 1
      const answer = await pool.pool.request({ path: '/graphql', method: 'POST', body: bodies[sent % bodies.length] ?? '', headers })
      const text = await answer.body.text()
      // The load is meant to be more than the service can answer.
      if (text.startsWith('{"errors"') && !text.includes('"OVERLOADED"')) throw new Error(text.slice(0, 300))
    }
  }
  await Promise.all(Array.from({ length: 32 }, send))
  return sent
}

function row(title: string, { resident, own, heap, external }: Held): string {
  return `| ${title} | ${[resident, own, heap, external].map((value) => value.toFixed(0)).join(' | ')} |`
}

async function measureService(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const platform = stack.use(await startUpstream({}))
  const { path } = stack.use(await createTempDir())
  // The first start fills the compile cache.
  await (await startService(platform.url, path))[Symbol.asyncDispose]()
  const service = stack.use(await startService(platform.url, path, { METRICS_FROM: 'loopback' }))
  console.log('| MB | resident | private | heap | external |\n|---|---|---|---|---|')
  await delay(5_000)
  console.log(row('5 s after the start', await heldBy(service)))
  await delay(40_000)
  console.log(row('idle, 45 s after the start', await heldBy(service)))
  const sent = await load(service, 30_000)
  console.log(row(`at the end of a load of 30 s (${sent} requests, 400 B to 1 MB, forwarded, mixed and local)`, await heldBy(service)))
  await delay(60_000)
  console.log(row('a minute later', await heldBy(service)))
}

console.log(`\`npm run bench:memory\`, ${machine()}\n`)
if (given.part !== 'service') {
  console.log('| import | private memory, MB |\n|---|---|')
  const bare = await importCost('node:path')
  for (const module of imports) console.log(`| ${module} | ${((await importCost(module)) - bare).toFixed(1)} |`)
  console.log('')
}
if (given.part !== 'modules') await measureService()
