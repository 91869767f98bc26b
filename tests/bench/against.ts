import { Pool } from 'undici'
import { createTempDir } from '../harness/temp-dir.ts'
import { startUpstream } from './contenders.ts'
import { median, token } from './load.ts'
import { type Contender, cpuMicros, startProcess } from './processes.ts'

const usage = `Usage: node tests/bench/against.ts DIRECTORY
Processor time per request of this checkout beside another one (with node_modules), alternating, on one upstream.`

const rounds = 5
const connections = 32

const operation = (name: string, local = ''): string =>
  JSON.stringify({
    operationName: name,
    query: `query ${name}($first: Int) { ${local} leads(first: $first) { edges { node { id name city createdAt position } } } }`,
    variables: { first: 60 },
  })
const kinds = [
  { name: 'pass-through 400 B', body: operation('Small'), requests: 12_000 },
  { name: 'pass-through 50 kB', body: operation('Medium'), requests: 4_000 },
  { name: 'mixed', body: operation('Small', 'me { memberId }'), requests: 12_000 },
  { name: 'local', body: JSON.stringify({ query: '{ me { memberId role } }' }), requests: 12_000 },
]

/** Sends the requests over as many connections; resolves to microseconds of processor time per request. */
async function measure(contender: Contender, body: string, requests: number): Promise<number> {
  await using pool = { pool: new Pool(contender.url, { connections }), [Symbol.asyncDispose]: () => pool.pool.close() }
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` }
  const before = cpuMicros(contender.pid)
  let left = requests
  const send = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const answer = await pool.pool.request({ path: '/graphql', method: 'POST', body, headers })
      const text = await answer.body.text()
      if (answer.statusCode !== 200 || text.includes('"errors"')) throw new Error(text.slice(0, 300))
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  return (cpuMicros(contender.pid) - before) / requests
}

async function main(other: string): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const platform = stack.use(await startUpstream({}))
  const start = async (cwd: string): Promise<Contender> => {
    const { path: dataDir } = stack.use(await createTempDir())
    const workspace = { PLATFORM_WORKSPACE_URL: 'http://{workspace}.localhost', WORKSPACES: 'bench' }
    return stack.use(
      await startProcess(cwd, {
        command: process.execPath,
        args: ['--import', './src/commands/require-node.mjs', '--max-semi-space-size=8', 'src/main.ts'],
        environment: { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', PLATFORM_URL: platform.url, ...workspace },
        ready: (output) => /Ready at (http\S+)/.exec(output)?.[1] ?? null,
        cwd,
      }),
    )
  }
  const [here, there] = [await start(process.cwd()), await start(other)]
  console.log('| operation | this, µs | other, µs | this / other |\n|---|---|---|---|')
  for (const { name, body, requests } of kinds) {
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let round = 0; round <= rounds; round += 1) {
      const pair = [await measure(here, body, requests), await measure(there, body, requests)] as const
      // The first round warms both up.
      if (round > 0) {
        ours.push(pair[0])
        theirs.push(pair[1])
      }
    }
    const [own, reference] = [median(ours), median(theirs)]
    console.log(`| ${name} | ${own.toFixed(0)} | ${reference.toFixed(0)} | ${(own / reference).toFixed(2)} |`)
  }
}

const [directory] = process.argv.slice(2)
if (directory === undefined) console.error(usage)
else await main(directory)
