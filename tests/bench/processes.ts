import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOnPath } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'

/** One thing that stands before the platform, as a process of its own. */
export type Contender = AsyncDisposable & { readonly name: string; readonly url: string; readonly pid: number; readonly readyMs: number }

const root = new URL('../..', import.meta.url).pathname
const cache = join(root, 'tests/.cache/bench')
const hiveVersion = '2.15.1'

/** Starts a program and waits for the address in what it prints. */
async function startProcess(name: string, { command, args, environment = {}, ready, cwd = root }: StartOptions): Promise<Contender> {
  const startedAt = performance.now()
  const child = spawn(command, args, { cwd, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const url = await addressFrom(child, ready)
  await waitFor(() => fetch(`${url}/health`).then((response) => response.status > 0), { deadlineMs: 30_000, what: name })
  const readyMs = Math.round(performance.now() - startedAt)
  return {
    name,
    url,
    readyMs,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.pid === undefined) return
      const gone = new Promise((resolve) => child.once('exit', resolve))
      process.kill(-child.pid, 'SIGKILL')
      await gone
    },
  }
}

type StartOptions = {
  readonly command: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The address in a line of the output; null while there is none. */
  readonly ready: (output: string) => string | null
  readonly cwd?: string
}

function addressFrom(child: ChildProcess, ready: StartOptions['ready']): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const look = (chunk: Buffer): void => {
      output += chunk.toString()
      const url = ready(output)
      if (url) resolve(url)
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('exit', () => reject(new Error(`ended before it was ready:\n${output}`)))
    setTimeout(() => reject(new Error(`not ready in 60 s:\n${output}`)), 60_000).unref()
  })
}

const portLine = (output: string): string | null => {
  const port = /^(\d+)$/m.exec(output)?.[1]
  return port ? `http://127.0.0.1:${port}` : null
}

export function startUpstream(environment: Readonly<Record<string, string>>): Promise<Contender> {
  return startProcess('platform', { command: process.execPath, args: ['tests/bench/upstream.ts'], environment, ready: portLine })
}

export function startBareProxy(platformUrl: string): Promise<Contender> {
  return startProcess('bare undici proxy', { command: process.execPath, args: ['tests/bench/bare-proxy.ts', platformUrl], ready: portLine })
}

export function startService(platformUrl: string, dataDir: string): Promise<Contender> {
  return startProcess('this service', {
    command: process.execPath,
    args: ['--import', './src/commands/require-node.mjs', 'src/main.ts'],
    environment: {
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      PLATFORM_URL: platformUrl,
      PLATFORM_WORKSPACE_URL: 'http://{workspace}.localhost',
      WORKSPACES: 'bench',
    },
    ready: (output) => /Ready at (http\S+)/.exec(output)?.[1] ?? null,
  })
}

/** Nginx with one worker and kept connections; null where there is none on PATH. */
export async function startNginx(platformUrl: string, port: number): Promise<Contender | null> {
  const binary = await findOnPath(['nginx'])
  if (binary === null) return null
  mkdirSync(cache, { recursive: true })
  const file = join(cache, 'nginx.conf')
  writeFileSync(
    file,
    `worker_processes 1; daemon off; pid ${cache}/nginx.pid; error_log stderr notice;
     events { worker_connections 4096; }
     http { access_log off; keepalive_requests 1000000000;
       client_body_temp_path ${cache}/body; proxy_temp_path ${cache}/proxy; fastcgi_temp_path ${cache}/f; uwsgi_temp_path ${cache}/u; scgi_temp_path ${cache}/s;
       upstream platform { server ${new URL(platformUrl).host}; keepalive 256; keepalive_requests 1000000000; }
       server { listen 127.0.0.1:${port}; location / { proxy_pass http://platform; proxy_http_version 1.1; proxy_set_header Connection ""; } } }`,
  )
  return startProcess('nginx', {
    command: binary,
    args: ['-c', file, '-e', 'stderr'],
    ready: (output) => (output.includes('start worker process') ? `http://127.0.0.1:${port}` : null),
  })
}

/** Hive Gateway in proxy mode, with one field of its own for mixed operations; installed apart, in a cache that git does not see. */
export async function startHive(platformUrl: string, port: number): Promise<Contender> {
  const home = join(cache, 'hive')
  mkdirSync(home, { recursive: true })
  const manifest = { name: 'hive', private: true, overrides: { '@graphql-tools/batch-execute': '10.2.0' } }
  if (!readdirSync(home).includes('node_modules')) {
    writeFileSync(join(home, 'package.json'), JSON.stringify(manifest))
    await run('npm', ['install', '--no-audit', '--no-fund', `@graphql-hive/gateway@${hiveVersion}`, 'graphql@16.15.0'], home)
  }
  writeFileSync(join(home, 'platform.graphql'), benchSchema)
  writeFileSync(
    join(home, 'gateway.config.mjs'),
    `export const gatewayConfig = {
       proxy: { endpoint: '${platformUrl}/graphql' }, schema: './platform.graphql', logging: false, maskedErrors: false,
       additionalTypeDefs: 'extend type Query { me: Me } type Me { role: String memberId: ID }',
       additionalResolvers: { Query: { me: () => ({ role: 'USER', memberId: '1' }) } },
       propagateHeaders: { fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') }) },
     }`,
  )
  return startProcess('Hive Gateway', {
    command: process.execPath,
    args: [
      join(home, 'node_modules/.bin/hive-gateway'),
      'proxy',
      `${platformUrl}/graphql`,
      '--schema',
      './platform.graphql',
      '-c',
      'gateway.config.mjs',
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
    ],
    environment: { NODE_ENV: 'production' },
    cwd: home,
    ready: (output) => (output.includes('Loaded config') ? `http://127.0.0.1:${port}` : null),
  })
}

const benchSchema = `type Query { leads(first: Int, orderBy: [Order]): LeadConnection }
input Order { createdAt: String }
type LeadConnection { edges: [LeadEdge!]! }
type LeadEdge { node: Lead! }
type Lead { id: ID! name: String city: String createdAt: String position: Int }
`

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}`)
}

/** CPU time that a process and its children have used, in microseconds. */
export function cpuMicros(pid: number): number {
  const ticks = processTree(pid).map((member) => {
    const fields = statFields(member)
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  })
  return ticks.reduce((sum, one) => sum + one, 0) * 10_000
}

/** Resident memory of a process and its children, in megabytes. */
export function residentMb(pid: number): number {
  const kilobytes = processTree(pid).map((member) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${member}/status`, 'utf8'))?.[1] ?? 0),
  )
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1_024)
}

function processTree(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statFields(Number(name))[1] ?? 0) }))
  const tree = [pid]
  for (const one of tree) tree.push(...parents.filter(({ parent }) => parent === one).map((child) => child.pid))
  return tree
}

function statFields(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}
