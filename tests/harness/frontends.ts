import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { delimiter, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createServer as createDevServer } from 'vite'
import { z } from 'zod'
import { freePort } from './free-port.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** A command of a package, and what it takes. */
type Command = readonly [program: string, ...parameters: string[]]

/** The frontends of `tests/clients`, and how each generates its types from `schema.graphql`. */
const frontends = {
  apollo: ['graphql-codegen', '--config', 'codegen.ts'],
  urql: ['node', 'generate-types.mjs'],
  relay: ['relay-compiler'],
} satisfies Readonly<Record<string, Command>>
export type FrontendName = keyof typeof frontends

export type BuiltFrontends = AsyncDisposable & {
  readonly pageOf: (name: FrontendName) => string
  /** Vite's dev server, with the configuration of the frontend. */
  startDevServer(name: FrontendName): Promise<AsyncDisposable & { readonly url: string }>
}

/** Generates, type-checks and builds the frontends as their developers would, in a copy, and serves each from a port of its own. */
export async function buildFrontends(serviceUrl: string, schema: string): Promise<BuiltFrontends> {
  await using starting = new AsyncDisposableStack()
  await mkdir(join(root, 'tests/.cache'), { recursive: true })
  const copy = await mkdtemp(join(root, 'tests/.cache/frontends-'))
  starting.defer(() => rm(copy, { recursive: true, force: true, maxRetries: 3 }))
  await writeFile(join(copy, 'schema.graphql'), schema)
  for (const folder of ['shared', ...Object.keys(frontends)])
    await cp(join(root, 'tests/clients', folder), join(copy, folder), { recursive: true })
  const build = async ([name, generate]: [string, Command]): Promise<readonly [string, string]> => {
    const at = join(copy, name)
    await writeFile(join(at, '.env'), `VITE_SERVICE_URL=${serviceUrl}`)
    await runAt(at, generate)
    await Promise.all([runAt(at, ['tsc']), runAt(at, ['vite', 'build', '--mode', 'development', '--logLevel', 'error'])])
    const server = starting.use(await startStaticServer(join(at, 'dist')))
    return [name, server.url]
  }
  const pages = new Map(await Promise.all(Object.entries<Command>(frontends).map(build)))
  const running = starting.move()
  return {
    pageOf: (name) => pages.get(name) ?? '',
    async startDevServer(name) {
      const at = join(copy, name)
      const port = await freePort()
      const server = await createDevServer({
        root: at,
        cacheDir: join(at, '.vite'),
        logLevel: 'silent',
        // Nothing is changed while it runs.
        server: { host: '127.0.0.1', port, strictPort: true, watch: null },
        optimizeDeps: { noDiscovery: true },
      })
      await server.listen()
      return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server.close() }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Development builds: they are the ones that warn. */
async function runAt(cwd: string, [program, ...parameters]: Command): Promise<void> {
  const path = [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  const environment = { PATH: path, HOME: cwd, NODE_ENV: 'development', NO_COLOR: '1' }
  await run(program, parameters, { cwd, env: environment, timeout: 120_000 }).catch((error: unknown) => {
    const { stdout, stderr } = outputSchema.parse(error)
    throw new Error(`${program} failed: ${stdout}${stderr}`, { cause: error })
  })
}

const outputSchema = z.object({ stdout: z.string(), stderr: z.string() })

const types: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' }

async function startStaticServer(directory: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = join(directory, pathname === '/' ? 'index.html' : pathname)
    readFile(path).then(
      (content) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(content),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  return {
    url: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
