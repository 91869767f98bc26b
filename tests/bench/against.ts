import { createTempDir } from '../harness/temp-dir.ts'
import { startUpstream } from './contenders.ts'
import { cpuPerRequest, median } from './load.ts'
import { type Contender, startProcess } from './processes.ts'

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

async function main(other: string): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const platform = stack.use(await startUpstream({}))
  const start = async (cwd: string): Promise<Contender> => {
    const { path: dataDir } = stack.use(await createTempDir())
    const workspace = { PLATFORM_WORKSPACE_URL: 'http://{workspace}.localhost', WORKSPACES: 'bench' }
    return stack.use(
      await startProcess(cwd, {
        command: process.execPath,
        args: ['--import', './src/commands/require-node.mjs', '--max-semi-space-size=8', '--v8-pool-size=1', 'src/main.ts'],
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
      const load = { body, connections, requests }
      const pair = [await cpuPerRequest(here, load), await cpuPerRequest(there, load)] as const
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
