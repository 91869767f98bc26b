import { createTempDir } from '../harness/temp-dir.ts'
import { startService, startUpstream } from './contenders.ts'
import { median, token } from './load.ts'
import { type Contender, cpuMicros, residentMb } from './processes.ts'

/** The cost of the service apart from its traffic. */

/** Sends one body with the benchmark's token; the answer's text. */
export async function askOnce({ url }: Contender, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
  return response.text()
}

export type Starts = { readonly readyMs: number; readonly slowestMs: number; readonly memoryMb: number }

/** Start to the first answer of `/health`, and memory three seconds later: medians of several starts. Null: sandbox mode. */
export async function measureStarts(platformUrl: string | null, times: number): Promise<Starts> {
  await using stack = new AsyncDisposableStack()
  const { path } = stack.use(await createTempDir())
  const ready: number[] = []
  const memory: number[] = []
  // The first start fills the compile cache, so that only warm starts are measured.
  for (let index = 0; index <= times; index += 1) {
    await using service = await startService(platformUrl, path)
    if (index === 0) continue
    ready.push(service.readyMs)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    memory.push(residentMb(service.pid))
  }
  return { readyMs: median(ready), slowestMs: Math.max(...ready), memoryMb: median(memory) }
}

/** The additional CPU time, in microseconds, of a document that is new to the service. */
export async function unseenDocument(service: Contender, rounds: number): Promise<number> {
  const perRound = 1_000
  const cost = async (queryOf: (index: number) => string): Promise<number> => {
    const before = cpuMicros(service.pid)
    for (let index = 0; index < perRound; index += 1) await askOnce(service, JSON.stringify({ query: queryOf(index) }))
    return (cpuMicros(service.pid) - before) / perRound
  }
  const query = (name: string): string =>
    `query ${name} { leads(first: 60) { edges { node { id name city createdAt position owner { id name } } } } }`
  const more: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const known = await cost(() => query('Small'))
    const unseen = await cost((index) => query(`Small${round}x${index}`))
    if (round > 0) more.push(unseen - known)
  }
  return median(more)
}

export type FirstStitched = { readonly firstMs: number; readonly nextMs: number; readonly beforeMb: number; readonly afterMb: number }

/** The first query of a workspace that takes the stitched schema, with the platform's schema from a file: a service and a platform of their own. */
export async function firstStitchedQuery(schemaFile: string): Promise<FirstStitched> {
  await using stack = new AsyncDisposableStack()
  const platform = stack.use(await startUpstream({ BENCH_SCHEMA: schemaFile }))
  const { path } = stack.use(await createTempDir())
  const service = stack.use(await startService(platform.url, path))
  const beforeMb = residentMb(service.pid)
  const ask = async (): Promise<number> => {
    const startedAt = performance.now()
    const text = await askOnce(
      service,
      JSON.stringify({ query: '{ __type(name: "Query") { name } leads(first: 1) { edges { node { id } } } }' }),
    )
    if (!text.includes('"__type":{"name":"Query"}')) throw new Error(`The stitched query fails: ${text.slice(0, 500)}`)
    return performance.now() - startedAt
  }
  const firstMs = await ask()
  const next: number[] = []
  for (let index = 0; index < 20; index += 1) next.push(await ask())
  return { firstMs, nextMs: median(next), beforeMb, afterMb: residentMb(service.pid) }
}
