import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from './build.ts'
import { kafkaJars } from './kafka/jars.ts'
import { startKafkaServer } from './kafka/server.ts'
import type { RealServerName, RealServers } from './real-server.ts'
import { startRedisServer } from './redis-server.ts'
import { aptInstall, findOnPath, mayInstall } from './system.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `realServer` asks for one. */
    realServers: string
    /** Whether all tests of the files run, so that what they execute can be noted. */
    runsWholeFiles: boolean
  }
}

/** A real server that some suites need. `null` from `start` means that it is not to be had here: those suites are skipped. */
type RealServer<Name extends RealServerName> = {
  readonly suites: string
  /** What a person does to have it. */
  readonly bring: string
  readonly start: () => Promise<{ provided: RealServers[Name]; server?: AsyncDisposable } | null>
}

const redis: RealServer<'redis'> = {
  suites: 'the suites on a real Redis',
  bring: 'put redis-server or valkey-server on PATH, for example with "apt install redis-server" or "brew install redis"',
  async start() {
    const binary = await locate(['redis-server', 'valkey-server'], 'redis-server')
    if (binary === null) return null
    const server = await startRedisServer(binary)
    return { provided: { url: server.url, binary }, server }
  },
}

const kafka: RealServer<'kafka'> = {
  suites: 'the suites on a real Kafka',
  bring: 'put java (17 or later) and mvn on PATH, for example with "apt install openjdk-17-jre-headless maven" or "brew install maven"',
  async start() {
    const java = await locate(['java'], 'openjdk-17-jre-headless')
    const jars = java === null ? null : ((await kafkaJars(null)) ?? (await kafkaJars(await locate(['mvn'], 'maven'))))
    if (java === null || jars === null) return null
    const programs = { java, jars }
    const server = await startKafkaServer(programs)
    return { provided: { broker: server.broker, secure: server.secure, programs }, server }
  },
}

const chromium: RealServer<'chromium'> = {
  suites: 'the suites in a real browser',
  bring:
    'put chromium-headless-shell or chromium on PATH, for example with "apt install chromium-headless-shell" or "brew install chromium"',
  async start() {
    const [binary] = await Promise.all([
      locate(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'], 'chromium-headless-shell'),
      buildIfStale(),
    ])
    return binary === null ? null : { provided: { binary } }
  },
}

const espeak: RealServer<'espeak'> = {
  suites: 'the suites on spoken sound',
  bring: 'put espeak-ng on PATH, for example with "apt install espeak-ng" or "brew install espeak-ng"',
  async start() {
    const binary = await locate(['espeak-ng'], 'espeak-ng')
    return binary === null ? null : { provided: { binary } }
  },
}

const openssl: RealServer<'openssl'> = {
  suites: 'the suites with certificates of their own',
  bring: 'put openssl (3 or later) on PATH, for example with "apt install openssl" or "brew install openssl"',
  async start() {
    const binary = await locate(['openssl'], 'openssl')
    return binary === null ? null : { provided: { binary } }
  },
}

const curl: RealServer<'curl'> = {
  suites: 'the suites with curl',
  bring: 'put curl on PATH, for example with "apt install curl" or "brew install curl"',
  async start() {
    const binary = await locate(['curl'], 'curl')
    return binary === null ? null : { provided: { binary } }
  },
}

/** What browsers load, for tests that read it without a browser. */
const pages: RealServer<'pages'> = {
  suites: 'the suites on what browsers load',
  bring: 'run "npm install"',
  async start() {
    await buildIfStale()
    return { provided: {} }
  },
}

const realServers: { readonly [Name in RealServerName]: RealServer<Name> } = { redis, kafka, chromium, espeak, openssl, curl, pages }

/**
 * Vitest's global set-up. It starts no server: each starts when the first test file asks for it (`realServer`), and serves all files of
 * the run. In CI each that is asked for must be there; elsewhere the run says what is left out.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = new AsyncDisposableStack()
  const started = new Map<string, Promise<string>>()
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? ''
    const start = started.get(name) ?? begin({ project, name, stack })
    started.set(name, start)
    start.then(
      (provided) => response.end(provided),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  })
  project.provide('realServers', await listen(server))
  project.provide('runsWholeFiles', project.config.testNamePattern === undefined)
  return async () => {
    server.close()
    await Promise.allSettled(started.values())
    await stack.disposeAsync()
  }
}

type Begun = { readonly project: TestProject; readonly name: string; readonly stack: AsyncDisposableStack }

/** Starts one, and answers what it provides as JSON. */
async function begin({ project, name, stack }: Begun): Promise<string> {
  if (!isRealServer(name)) throw new Error(`There is no real server "${name}": allowed are ${Object.keys(realServers).join(', ')}`)
  const { suites, bring, start } = realServers[name]
  const started = await start()
  if (!started && process.env['CI'] === 'true') throw new Error(`In CI ${suites} must run: ${bring}.`)
  if (!started) project.vitest.logger.warn(`Left out: ${suites}. To run them, ${bring}.`)
  if (started?.server) stack.use(started.server)
  return JSON.stringify(started?.provided ?? null)
}

function isRealServer(name: string): name is RealServerName {
  return Object.hasOwn(realServers, name)
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

/** The first of the programs that is on PATH, in CI after installing the Debian package that has it. */
async function locate(programs: readonly string[], debianPackage: string): Promise<string | null> {
  const found = await findOnPath(programs)
  if (found !== null || !mayInstall()) return found
  await aptInstall(debianPackage)
  return findOnPath(programs)
}
