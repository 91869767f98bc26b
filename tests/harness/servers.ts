import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from './build.ts'
import { kafkaJars } from './kafka/jars.ts'
import { type KafkaPrograms, type SecureAccess, startKafkaServer } from './kafka/server.ts'
import { startRedisServer } from './redis-server.ts'
import { aptInstall, findOnPath, mayInstall } from './system.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A real Redis for all suites (each under a key prefix of its own), and the program, for suites that start and kill their own. */
    redis: { readonly url: string; readonly binary: string } | null
    /** A real Kafka for all suites (each with topics and groups of its own), and what it takes to start one's own. */
    kafka: { readonly broker: string; readonly secure: SecureAccess; readonly programs: KafkaPrograms } | null
    /** A browser, for suites that look at a page as a person does. */
    chromium: { readonly binary: string } | null
    /** A voice, for suites that listen to real sound. */
    espeak: { readonly binary: string } | null
    /** Certificates of a test's own. */
    openssl: { readonly binary: string } | null
    /** What developers ask with. */
    curl: { readonly binary: string } | null
  }
}

/** A real server that some suites need. `null` from `start` means that it is not to be had here: those suites are skipped. */
type RealServer<Name extends keyof ProvidedContext> = {
  readonly name: Name
  readonly suites: string
  /** What a person does to have it. */
  readonly bring: string
  readonly start: () => Promise<{ provided: NonNullable<ProvidedContext[Name]>; server: AsyncDisposable } | null>
}

const redis: RealServer<'redis'> = {
  name: 'redis',
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
  name: 'kafka',
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
  name: 'chromium',
  suites: 'the suites in a real browser',
  bring: 'put chromium on PATH, for example with "apt install chromium" or "brew install chromium"',
  async start() {
    const binary = await locate(['chromium', 'chromium-browser', 'google-chrome'], 'chromium')
    return binary === null ? null : { provided: { binary }, server: { [Symbol.asyncDispose]: () => Promise.resolve() } }
  },
}

const espeak: RealServer<'espeak'> = {
  name: 'espeak',
  suites: 'the suites on spoken sound',
  bring: 'put espeak-ng on PATH, for example with "apt install espeak-ng" or "brew install espeak-ng"',
  async start() {
    const binary = await locate(['espeak-ng'], 'espeak-ng')
    return binary === null ? null : { provided: { binary }, server: { [Symbol.asyncDispose]: () => Promise.resolve() } }
  },
}

const openssl: RealServer<'openssl'> = {
  name: 'openssl',
  suites: 'the suites with certificates of their own',
  bring: 'put openssl (3 or later) on PATH, for example with "apt install openssl" or "brew install openssl"',
  async start() {
    const binary = await locate(['openssl'], 'openssl')
    return binary === null ? null : { provided: { binary }, server: { [Symbol.asyncDispose]: () => Promise.resolve() } }
  },
}

const curl: RealServer<'curl'> = {
  name: 'curl',
  suites: 'the suites with curl',
  bring: 'put curl on PATH, for example with "apt install curl" or "brew install curl"',
  async start() {
    const binary = await locate(['curl'], 'curl')
    return binary === null ? null : { provided: { binary }, server: { [Symbol.asyncDispose]: () => Promise.resolve() } }
  },
}

/** Vitest's global set-up: starts the real servers on free ports. In CI each must be there; elsewhere it says what is left out. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using servers = new AsyncDisposableStack()
  await buildIfStale()
  const begun = [
    begin(project, redis),
    begin(project, kafka),
    begin(project, chromium),
    begin(project, espeak),
    begin(project, openssl),
    begin(project, curl),
  ]
  const settled = await Promise.allSettled(begun)
  // Where one is missing the others have begun all the same, and are stopped.
  for (const one of settled) if (one.status === 'fulfilled') servers.use(one.value)
  for (const one of settled) if (one.status === 'rejected') throw one.reason
  const running = servers.move()
  return () => running.disposeAsync()
}

async function begin<Name extends keyof ProvidedContext>(project: TestProject, server: RealServer<Name>): Promise<AsyncDisposable | null> {
  const started = await server.start()
  if (!started && process.env['CI'] === 'true') throw new Error(`In CI ${server.suites} must run: ${server.bring}.`)
  if (!started) project.vitest.logger.warn(`Left out: ${server.suites}. To run them, ${server.bring}.`)
  project.provide(server.name, started?.provided ?? null)
  return started?.server ?? null
}

/** The first of the programs that is on PATH, in CI after installing the Debian package that has it. */
async function locate(programs: readonly string[], debianPackage: string): Promise<string | null> {
  const found = await findOnPath(programs)
  if (found !== null || !mayInstall()) return found
  await aptInstall(debianPackage)
  return findOnPath(programs)
}
