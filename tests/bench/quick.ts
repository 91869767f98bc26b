import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { createTempDir } from '../harness/temp-dir.ts'
import { startBareProxy, startService, startUpstream } from './contenders.ts'
import { createSender, median } from './load.ts'
import { type Contender, cpuMicros } from './processes.ts'

/**
 * `npm run bench -- --quick`: processor time of the service for a request, divided by that of a bare undici proxy for the same answer, compared with
 * the committed ratios. Both serve at the same time, so that other work on the machine affects both. A ratio is the median of many pairs. One process
 * is up to a tenth quicker than another of the same program, so the pairs are from several processes of each.
 */
const file = new URL('ratios.json', import.meta.url)
const processes = 5
const pairs = 7
/** Rounds until both processes are compiled. */
const warmUps = 3
const connections = 32
/** A ratio that is more than this above the committed one is a regression. */
const tolerance = 1.1

const operation = (name: string, local = ''): string =>
  JSON.stringify({
    operationName: name,
    query: `query ${name}($first: Int) { ${local} leads(first: $first) { edges { node { id name city createdAt position } } } }`,
    variables: { first: 60 },
  })
const small = operation('Small')

/** `bare`: what the bare proxy is asked meanwhile. */
const kinds = [
  { name: 'pass-through 400 B', body: small, bare: small, requests: 2_000 },
  { name: 'pass-through 50 kB', body: operation('Medium'), bare: operation('Medium'), requests: 1_000 },
  { name: 'pass-through 1 MB', body: operation('Large'), bare: operation('Large'), requests: 300 },
  { name: 'mixed 400 B', body: operation('Small', 'me { memberId }'), bare: small, requests: 2_000 },
  { name: 'local', body: JSON.stringify({ query: '{ me { memberId role } }' }), bare: small, requests: 2_000 },
]
type Kind = (typeof kinds)[number]
type Found = { readonly service: number; readonly bare: number }

/** Prints the table; resolves to the exit code. `renew`: the ratios are written to the file instead of compared with it. */
export async function runQuick({ renew }: { readonly renew: boolean }): Promise<number> {
  const startedAt = performance.now()
  const found = new Map<Kind, Found[]>(kinds.map((kind) => [kind, []]))
  for (let index = 0; index < processes; index += 1) await measurePairs(found)
  const ratios = new Map([...found].map(([kind, rounds]) => [kind.name, median(rounds.map(({ service, bare }) => service / bare))]))
  const committed = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(file, 'utf8')))
  console.log('| operation | this, µs | bare proxy, µs | this / bare proxy | committed |\n|---|---|---|---|---|')
  for (const [{ name }, rounds] of found) {
    const [own, bare] = [median(rounds.map(({ service }) => service)), median(rounds.map((round) => round.bare))]
    const ratio = ratios.get(name)?.toFixed(2) ?? ''
    console.log(`| ${name} | ${own.toFixed(0)} | ${bare.toFixed(0)} | ${ratio} | ${committed[name]?.toFixed(2) ?? 'none'} |`)
  }
  console.log(`\n${processes} processes, ${pairs} pairs each; ${((performance.now() - startedAt) / 1_000).toFixed(0)} s in all.`)
  if (renew) {
    const rounded = Object.fromEntries([...ratios].map(([name, ratio]) => [name, Number(ratio.toFixed(2))]))
    writeFileSync(file, `${JSON.stringify(rounded, null, 2)}\n`)
    return 0
  }
  const slower = [...ratios].filter(([name, ratio]) => !(ratio <= (committed[name] ?? 0) * tolerance)).map(([name]) => name)
  if (slower.length > 0) console.error(`More than 10 % above the committed ratio: ${slower.join(', ')}`)
  const faster = [...ratios].filter(([name, ratio]) => ratio * tolerance < (committed[name] ?? 0)).map(([name]) => name)
  if (faster.length > 0) console.log(`More than 10 % below the committed ratio, so renew it: ${faster.join(', ')}`)
  return slower.length > 0 ? 1 : 0
}

/** One process of each program. A round measures a pair of each kind, so that no kind has a part of the time, and its other work, for itself. */
async function measurePairs(found: ReadonlyMap<Kind, Found[]>): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const platform = stack.use(await startUpstream({}))
  const { path } = stack.use(await createTempDir())
  // A refusal in an overload would be no answer to compare.
  const service = stack.use(await startService(platform.url, path, { OVERLOAD_DELAY_MS: '0' }))
  const bare = stack.use(await startBareProxy(platform.url))
  for (let round = -warmUps; round < pairs; round += 1) {
    for (const [kind, rounds] of found) {
      const pair = await measurePair(kind, service, bare)
      if (round >= 0) rounds.push(pair)
    }
  }
}

/**
 * Each connection asks the service, then the bare proxy, so that the machine treats both alike at any time. The first quarter is not counted: in it
 * the garbage of the kind before is collected.
 */
async function measurePair({ body, bare: bareBody, requests }: Kind, service: Contender, bare: Contender): Promise<Found> {
  await using sender = createSender([service, bare], connections)
  const askBoth = async (): Promise<void> => {
    await sender.send(service, body)
    await sender.send(bare, bareBody)
  }
  await sender.repeat(requests / 4, askBoth)
  const before = { service: cpuMicros(service.pid), bare: cpuMicros(bare.pid) }
  await sender.repeat(requests, askBoth)
  return { service: (cpuMicros(service.pid) - before.service) / requests, bare: (cpuMicros(bare.pid) - before.bare) / requests }
}
