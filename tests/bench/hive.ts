import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../harness/free-port.ts'
import { cache } from './contenders.ts'
import { type Contender, portLine, startProcess } from './processes.ts'

const hiveVersion = '2.15.1'
const home = join(cache, 'hive')

/** Hive Gateway from npm, installed apart from our dependencies. */
export async function installHive(): Promise<void> {
  mkdirSync(home, { recursive: true })
  if (readdirSync(home).includes('node_modules')) return
  const manifest = { name: 'hive', private: true, overrides: { '@graphql-tools/batch-execute': '10.2.0' } }
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest))
  const args = ['install', '--no-audit', '--no-fund', `@graphql-hive/gateway@${hiveVersion}`, 'graphql@16.15.0']
  const child = spawn('npm', args, { cwd: home, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${String(code)}`)
}

/** In proxy mode: one endpoint behind it, its schema in a file. */
export function startHiveProxy(platformUrl: string): Promise<Contender> {
  writeFileSync(join(home, 'platform.graphql'), platformTypes + platformQuery)
  const endpoint = `${platformUrl}/graphql`
  const config = `proxy: { endpoint: '${endpoint}' }, schema: './platform.graphql',`
  return start('Hive Gateway, proxy', ['proxy', endpoint, '--schema', './platform.graphql'], config)
}

/** Two subgraphs in one supergraph, for an operation on both: the platform, and a stand-in of the sidecar that has `me`. */
export async function startHiveStitched(platformUrl: string, sidecarUrl: string): Promise<Contender> {
  writeFileSync(join(home, 'supergraph.graphql'), supergraph(`${platformUrl}/graphql`, `${sidecarUrl}/graphql`))
  return start('Hive Gateway, stitched', ['supergraph', './supergraph.graphql'], `supergraph: './supergraph.graphql',`)
}

/** The second subgraph. Its answers are prepared bytes. */
export function startSidecarSubgraph(): Promise<Contender> {
  return startProcess('sidecar subgraph', { command: process.execPath, args: ['tests/bench/sidecar-subgraph.ts'], ready: portLine })
}

async function start(name: string, args: readonly string[], config: string): Promise<Contender> {
  const port = await freePort()
  const file = `${args[0] ?? ''}.config.mjs`
  writeFileSync(
    join(home, file),
    `export const gatewayConfig = { ${config} logging: false,
       propagateHeaders: { fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') }) } }`,
  )
  return startProcess(name, {
    command: process.execPath,
    args: [join(home, 'node_modules/.bin/hive-gateway'), ...args, '-c', file, '-h', '127.0.0.1', '-p', String(port)],
    environment: { NODE_ENV: 'production' },
    cwd: home,
    ready: (output) => (output.includes('Loaded config') ? `http://127.0.0.1:${port}` : null),
  })
}

const platformTypes = `input Order { createdAt: String }
type LeadEdge { node: Lead! }
type LeadConnection { edges: [LeadEdge!]! }
type Lead { id: ID! name: String city: String createdAt: String position: Int }
`
const platformQuery = 'type Query { leads(first: Int, orderBy: [Order]): LeadConnection }'

/** The two subgraphs in the format of Apollo's composition. */
function supergraph(platform: string, sidecar: string): string {
  const owned = (types: string): string => types.replaceAll(/^(type|input) (\w+)/gm, '$1 $2 @join__type(graph: PLATFORM)')
  return `schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet, type: String, external: Boolean, override: String, usedOverridden: Boolean) repeatable on FIELD_DEFINITION | INPUT_FIELD_DEFINITION
directive @join__graph(name: String!, url: String!) on ENUM_VALUE
directive @join__type(graph: join__Graph!, key: join__FieldSet, extension: Boolean! = false, resolvable: Boolean! = true, isInterfaceObject: Boolean! = false) repeatable on OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT | SCALAR
directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
scalar join__FieldSet
scalar link__Import
enum link__Purpose { SECURITY EXECUTION }
enum join__Graph {
  PLATFORM @join__graph(name: "platform", url: "${platform}")
  SIDECAR @join__graph(name: "sidecar", url: "${sidecar}")
}
${owned(platformTypes)}
type Me @join__type(graph: SIDECAR) { role: String memberId: ID }
type Query @join__type(graph: PLATFORM) @join__type(graph: SIDECAR) {
  leads(first: Int, orderBy: [Order]): LeadConnection @join__field(graph: PLATFORM)
  me: Me @join__field(graph: SIDECAR)
}
`
}
