import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildSchema, extendSchema, introspectionFromSchema, parse } from 'graphql'
import { createTempDir } from '../harness/temp-dir.ts'
import { startService } from './contenders.ts'
import { median } from './load.ts'
import { machine } from './machine.ts'
import { type Contender, cpuMicros, residentMb } from './processes.ts'

/**
 * `npm run bench:workspaces -- --records core.graphql --metadata metadata.graphql`: stitched queries of many workspaces on one service, with the
 * SDL of a platform's two endpoints. Every fifth workspace has an object of its own. For each number of workspaces: a service of its own, the first
 * and the second query of each, then queries of workspaces whose schema is not in memory any more, and those of another workspace meanwhile.
 */
const { values: given } = parseArgs({
  options: {
    records: { type: 'string' },
    metadata: { type: 'string' },
    counts: { type: 'string', default: '1,10,100' },
    custom: { type: 'string', default: '5' },
  },
})
if (given.records === undefined || given.metadata === undefined)
  throw new Error('--records and --metadata name files with the SDL of the endpoints')
const customEvery = Number(given.custom)

const records = buildSchema(readFileSync(given.records, 'utf8'), { assumeValid: true })
const answerOf = (schema: typeof records): string => JSON.stringify({ data: introspectionFromSchema(schema, { oneOf: false }) })
const standard = Buffer.from(answerOf(records))
const metadata = Buffer.from(answerOf(buildSchema(readFileSync(given.metadata, 'utf8'), { assumeValid: true })))

const isCustom = (index: number): boolean => customEvery > 0 && index % customEvery === customEvery - 1

const ownObject = 'type Custom__N__ { id: ID name: String } extend type Lead { custom__N__: Custom__N__ }'
const custom = answerOf(extendSchema(records, parse(ownObject), { assumeValid: true }))

/** Each workspace's introspection answer. Those with an object of their own are made when they are asked for: 1,000 would fill the memory. */
function introspectionOf(index: number): Buffer {
  return isCustom(index) ? Buffer.from(custom.replaceAll('__N__', String(index))) : standard
}

const uuid = (kind: string, index: number): string => `20202020-${kind}-4000-8000-${String(index).padStart(12, '0')}`

/** A platform whose tokens name the workspace by its number. */
async function startPlatform() {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const payload = request.headers.authorization?.split('.')[1] ?? ''
      const index = Number(/"workspace":(\d+)/.exec(Buffer.from(payload, 'base64url').toString())?.[1] ?? 0)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(answer(request.url === '/metadata', { body, index }))
    })
  })
  // Longer than the service may be busy: a connection that is closed just when it is used would fail a query.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function answer(isMetadata: boolean, { body, index }: { readonly body: string; readonly index: number }): Buffer | string {
  if (body.includes('IntrospectionQuery')) return isMetadata ? metadata : introspectionOf(index)
  if (body.includes('currentUser')) return JSON.stringify({ data: { currentUser: userOf(index) } })
  if (body.includes('WorkspaceByDomain')) return JSON.stringify({ data: { workspace: { id: uuid('0003', index) } } })
  if (body.includes('ObjectShape')) return '{"data":{"__type":null}}'
  if (body.includes('agents:')) return '{"data":{"agents":{"edges":[]}}}'
  return '{"data":{"leads":{"edges":[{"node":{"id":"20202020-0687-4c41-b707-ed1bfca972a7"}}]}}}'
}

function userOf(index: number) {
  const name = { firstName: 'Asha', lastName: 'Rao' }
  const workspaceMember = { id: uuid('0002', index), name, roles: [{ id: '1', label: 'Admin' }] }
  return {
    id: uuid('0001', index),
    email: 'agent1@bench.example',
    ...name,
    workspaceMember,
    currentWorkspace: { id: uuid('0003', index), subdomain: `bench${index}` },
  }
}

function tokenOf(index: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { sub: '1', type: 'ACCESS', workspace: index, workspaceId: uuid('0003', index), exp: 4_102_444_800 }
  return `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`
}

const query = JSON.stringify({ query: '{ __typename leads(first: 1) { edges { node { id insight { summary } } } } }' })

/** The time of one stitched query, in ms. Throws if it fails. */
async function ask({ url }: Contender, index: number): Promise<number> {
  const startedAt = performance.now()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokenOf(index)}` }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: query })
  const text = await response.text()
  if (!text.includes('"edges":[{')) throw new Error(`The stitched query of workspace ${index} fails: ${text.slice(0, 300)}`)
  return performance.now() - startedAt
}

async function askEach(service: Contender, indexes: readonly number[]): Promise<readonly number[]> {
  const times: number[] = []
  for (const index of indexes) times.push(await ask(service, index))
  return times
}

/** Queries of evicted workspaces, while another workspace asks all the time: the times of both. */
async function askEvicted(
  service: Contender,
  evicted: readonly number[],
): Promise<{ times: readonly number[]; others: readonly number[] }> {
  const end = new AbortController()
  const others: number[] = []
  const other = async (): Promise<void> => {
    while (!end.signal.aborted) {
      others.push(await ask(service, 0))
      await delay(5)
    }
  }
  const asking = other()
  const times = await askEach(service, evicted)
  end.abort()
  await asking
  return { times, others }
}

const ms = (values: readonly number[]): string =>
  values.length === 0 ? '' : `${median(values).toFixed(0)}, ${Math.max(...values).toFixed(0)}`

function percentiles(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  return [0.5, 0.95, 0.99, 1].map((share) => sorted[Math.ceil(sorted.length * share) - 1]?.toFixed(0) ?? '').join(', ')
}

async function measureWorkspaces(count: number): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const platform = stack.use(await startPlatform())
  const { path } = stack.use(await createTempDir())
  const all = Array.from({ length: count }, (_, index) => index)
  const WORKSPACES = all.map((index) => `bench${index}`).join(',')
  const service = stack.use(await startService(platform.url, path, { WORKSPACES }))
  const cpuBefore = cpuMicros(service.pid)
  const [firstOfAll = 0, ...first] = await askEach(service, all)
  const cpuMs = (cpuMicros(service.pid) - cpuBefore) / count / 1_000
  const peakMb = residentMb(service.pid)
  const later = await askEach(service, all.filter((index) => !isCustom(index)).slice(0, 50))
  const own = all.filter(isCustom)
  const evicted = own.length > 8 ? await askEvicted(service, own.slice(0, 8)) : { times: [], others: [] }
  await delay(45_000)
  const row = [
    firstOfAll.toFixed(0),
    ms(first.filter((_, index) => !isCustom(index + 1))),
    ms(first.filter((_, index) => isCustom(index + 1))),
    ms(later),
    ms(evicted.times),
    percentiles(evicted.others),
    cpuMs.toFixed(0),
    `${peakMb}, ${residentMb(service.pid)}`,
  ]
  console.log(`| ${count} | ${row.join(' | ')} |`)
}

console.log(
  `\`npm run bench:workspaces\`, ${machine()}; ${customEvery > 0 ? `one of ${customEvery} workspaces` : 'no workspace'} has an object of its own; times in ms: median, slowest\n`,
)
console.log(
  '| workspaces | very first query | first of a workspace, standard schema | first, own object | later | not in memory any more | others meanwhile: p50, p95, p99, slowest | CPU ms a workspace | MB after the queries, 45 s later |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
for (const count of given.counts.split(',').map(Number)) await measureWorkspaces(count)
