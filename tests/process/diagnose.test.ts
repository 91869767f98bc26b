import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { checkPlatform } from '../../src/commands/diagnose/address-checks.ts'
import { checkKafka, checkRedis } from '../../src/commands/diagnose/broker-checks.ts'
import { diagnose } from '../../src/commands/diagnose/diagnose.ts'
import type { Finding } from '../../src/commands/diagnose/finding.ts'
import { runChecks } from '../../src/commands/diagnose/run-checks.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { checkService } from '../../src/commands/diagnose/service-checks.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createKafkaClient } from '../../src/providers/broker/kafka/client.ts'
import { busTopics, ensureTopics } from '../../src/providers/broker/kafka/topics.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { type StandIns, startSandbox } from '../../src/sandbox/start.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { childEnvironment } from '../harness/child-environment.ts'
import { freePort } from '../harness/free-port.ts'
import { hideObjects } from '../harness/hide-objects.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Each fault is planted, and must be the only one that the command reports as new. */

const stack = new AsyncDisposableStack()
let standIns: StandIns
let environment: Readonly<Record<string, string>>
let dataDir: string
beforeAll(async () => {
  const sandbox = stack.use(await startSandbox({ dataDir: null }))
  const { path } = stack.use(await createTempDir())
  standIns = sandbox.standIns
  dataDir = join(path, 'data')
  environment = { ...sandbox.environmentOf('demo'), DATA_DIR: dataDir, PUBLIC_URL: sandbox.standIns.platform.url }
})
afterEach(() => void vi.unstubAllEnvs())
afterAll(() => stack.disposeAsync())

const nobody = 'http://127.0.0.1:1'
const asked = { workspace: 'demo', member: null, address: nobody }

async function found(changes: Readonly<Record<string, string>> = {}, question: Partial<typeof asked> = {}): Promise<readonly Finding[]> {
  return diagnose({ ...environment, ...changes }, { ...asked, ...question })
}

const errorsIn = (findings: readonly Finding[]): string[] => findings.filter(({ state }) => state === 'error').map(({ part }) => part)
const named = (findings: readonly Finding[], part: string): Finding | undefined => findings.find((finding) => finding.part === part)

test('a sandbox without a service has no errors, and every finding that is not ok says what to do', async () => {
  const findings = await found()
  expect(errorsIn(findings)).toEqual([])
  expect(findings.filter(({ state, action }) => state !== 'ok' && action === null)).toEqual([])
  expect(findings.map(({ part }) => part)).toEqual(
    expect.arrayContaining([
      'settings',
      'versions',
      'service',
      'data-dir',
      'platform',
      'platform.clock',
      'public-address',
      'speech',
      'events',
    ]),
  )
  // It is the platform's address, so something answers.
  expect(named(findings, 'public-address')).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('not as this service') as unknown,
  })
  const ofDemo = findings.filter(({ workspace }) => workspace === 'demo').map(({ part }) => part)
  expect(ofDemo).toEqual(
    expect.arrayContaining([
      'platform.apiKey',
      'platform.objects',
      'platform.roles',
      'platform.apiKeyRights',
      'telephony.access',
      'outbound',
      'ai.answer',
      'webhooks',
    ]),
  )
  expect(named(findings, 'platform.roles')).toMatchObject({ state: 'ok', found: expect.stringContaining('--email') as unknown })
})

test('an administrator sees the roles too', async () => {
  const member = { email: 'manager@demo.example', password: sandboxPassword }
  const findings = await diagnose(environment, { ...asked, member })
  expect(named(findings, 'platform.roles')?.found).toContain('Manager and User exist')
})

test.each([
  ['speech', { DEEPGRAM_API_KEY: 'wrong-secret' }],
  ['telephony.access', { OZONETEL_API_KEY: 'wrong-secret' }],
  ['outbound', { EXOTEL_API_TOKEN: 'wrong-secret' }],
  ['ai.answer', { OPENAI_COMPATIBLE_API_KEY: 'wrong-secret' }],
  ['platform.apiKey', { PLATFORM_API_KEY: 'wrong-secret' }],
])('a wrong key of %s is an error of that part, and no finding holds a secret', async (part, changes) => {
  const findings = await found(changes)
  expect(named(findings, part)).toMatchObject({ state: 'error' })
  expect(errorsIn(findings).filter((name) => !name.startsWith(part.split('.')[0] ?? ''))).toEqual([])
  const secrets = Object.entries(environment).filter(([name]) => /KEY|TOKEN/.test(name))
  for (const [, secret] of [...secrets, ['', 'wrong-secret'] as const]) expect(JSON.stringify(findings)).not.toContain(secret)
})

test('a missing object, and a right that the API key lacks, are named', async () => {
  await using fresh = await startSandbox({ dataDir: null, hasFreshPlatform: true })
  const missing = await found(fresh.environmentOf('demo'))
  expect(named(missing, 'platform.objects')).toMatchObject({ state: 'error', found: expect.stringContaining('lead is missing') as unknown })

  await hideObjects(standIns.platform, 'Admin', { names: ['call'] })
  const hidden = await found()
  await hideObjects(standIns.platform, 'Admin', { names: ['call'], isHidden: false })
  expect(named(hidden, 'platform.apiKeyRights')).toMatchObject({
    state: 'error',
    found: 'The API key may not read calls and may not change calls',
  })
})

test('a platform that does not answer hides no other part', async () => {
  const findings = await found({ PLATFORM_URL: `http://127.0.0.1:${await freePort()}` })
  expect(named(findings, 'platform')).toMatchObject({ state: 'error', found: expect.stringContaining('ECONNREFUSED') as unknown })
  expect(named(findings, 'speech')).toMatchObject({ state: 'ok' })
  expect(named(findings, 'data-dir')).toBeDefined()
})

test('a clock that differs, and a check that throws, are errors; a version is reported', async () => {
  const server = createServer((_request, response) => {
    response.sendDate = false
    response.writeHead(200, { date: new Date(Date.now() - 60_000).toUTCString() }).end('{"appVersion":"2.21.0"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const findings = await checkPlatform(url, AbortSignal.timeout(5_000))
  expect(named(findings, 'platform.version')?.found).toContain('version 2.21.0')
  expect(named(findings, 'platform.clock')).toMatchObject({
    state: 'error',
    found: expect.stringMatching(/differ by (59|60|61) s/) as unknown,
  })
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  const failing = { part: 'x', run: () => Promise.reject(new Error('password=hidden')) }
  expect(await runChecks([failing])).toMatchObject([{ part: 'x', state: 'error', found: 'It could not be checked: Error' }])
})

test('a part of the service whose check hangs is a warning, and so is a service that does not show its parts here', async () => {
  const parts = { store: { state: 'up' }, platform: { state: 'unknown' } }
  let health: unknown = { status: 'degraded', parts }
  const server = createServer((_request, response) => void response.end(JSON.stringify(health)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const check = () => checkService(url, AbortSignal.timeout(5_000))
  expect(await check()).toMatchObject([{ part: 'service.platform', state: 'warning' }])
  health = { status: 'up' }
  expect(await check()).toMatchObject([{ part: 'service', state: 'warning', action: expect.stringContaining('METRICS_FROM') as unknown }])
  health = { status: 'down' }
  expect(await check()).toMatchObject([{ part: 'service', state: 'error' }])
  health = { status: 'ok' }
  expect(await check()).toMatchObject([{ part: 'service', state: 'error', found: expect.stringContaining('another program') as unknown }])
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

test('all mistakes in the settings are named, and what needs no settings is still checked', async () => {
  const findings = await found({ PORT: 'x', LOG_LEVEL: 'loud', PLATFORM_ULR: 'http://x', NODE_TLS_REJECT_UNAUTHORIZED: '0' })
  expect(findings.filter(({ part }) => part === 'settings').map(({ state, found: text }) => [state, text.split(':')[0]])).toEqual([
    ['error', 'PORT'],
    ['error', 'LOG_LEVEL'],
    ['warning', 'PLATFORM_ULR is not a setting of this service; did you mean PLATFORM_URL?'],
  ])
  expect(errorsIn(findings)).toContain('process.tls')
  expect(named(findings, 'versions')).toMatchObject({ state: 'ok' })
})

test('what is stored: dead letters, a key file that others may read, a damaged store', async () => {
  await using folder = await createTempDir()
  const stored = join(folder.path, 'data')
  await mkdir(stored, { mode: 0o700 })
  const outbox = createSqliteOutbox({ dataDir: stored, clock: systemClock })
  const facts = { topic: 'call.completed', receiver: 'insights', eventId: 'e', workspaceId: 'w', key: 'k', reason: 'INVALID_EVENT' }
  await outbox.deadLetters.add({ ...facts, id: 'd1', deadAt: Date.now(), value: '', headers: {} })
  await outbox.close()
  await writeFile(join(stored, 'secrets.key'), Buffer.alloc(32, 1).toString('base64'))
  await chmod(join(stored, 'secrets.key'), 0o644)
  const files = async () => (await readdir(stored)).filter((name) => !/-(wal|shm)$/.test(name))
  const before = await files()
  // Another diagnose on this machine may have a copy in the folder of all.
  const temporary = join(folder.path, 'temporary')
  await mkdir(temporary)
  vi.stubEnv('TMPDIR', temporary)
  const findings = await found({ DATA_DIR: stored })
  expect(named(findings, 'events')).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('Dead letters are stored (1)') as unknown,
  })
  expect(errorsIn(findings)).toEqual(['data-dir.key'])
  // It changed nothing there, and left no copy.
  expect(await files()).toEqual(before)
  expect(await readdir(temporary)).toEqual([])

  await writeFile(join(stored, 'store.db'), 'no database')
  const damaged = await found({ DATA_DIR: stored })
  expect(errorsIn(damaged)).toEqual(expect.arrayContaining(['store', 'configuration']))
  expect(named(damaged, 'speech')).toMatchObject({ state: 'ok' })
})

const limitReached = JSON.stringify({
  errors: [{ message: 'Limit reached (100 tokens per 60000 ms)', extensions: { code: 'BAD_USER_INPUT', subCode: 'LIMIT_REACHED' } }],
  data: null,
})
/** What partners answer when they cannot or will not say anything about a key. */
test.each([
  { name: 'a rate limit', status: 429, body: '{}', ofPlatform: limitReached },
  { name: 'an outage', status: 503, body: '<html>', ofPlatform: null },
  { name: 'a page of a proxy', status: 404, body: '<html>not here</html>', ofPlatform: null },
])('$name is no wrong key or password', async ({ status, body, ofPlatform }) => {
  const fault = { act: 'refuse', status, body } as const
  const { platform, telephony, outbound, speech, models } = standIns
  const atPlatform = ofPlatform === null ? fault : ({ act: 'refuse', status: 200, body: ofPlatform } as const)
  for (const operation of ['POST /graphql', 'getLoginTokenFromCredentials']) platform.fault({ operation, ...atPlatform })
  for (const standIn of [telephony, outbound, speech, models]) standIn.fault(fault)
  const findings = await diagnose(environment, { ...asked, member: { email: 'manager@demo.example', password: sandboxPassword } })
  for (const standIn of [platform, telephony, outbound, speech, models]) standIn.clearFaults()
  const parts = ['platform.signIn', 'platform.rootFields', 'platform.apiKeyRights', 'telephony.access', 'outbound', 'speech', 'ai.answer']
  const wrong = findings.filter(({ part, state }) => parts.includes(part) && state !== 'ok')
  expect(wrong.map(({ part }) => part).toSorted()).toEqual(parts.toSorted())
  for (const { part, found: text, action } of wrong) {
    expect(`${part}: ${text} -> ${action}`).not.toMatch(/refuses|correct the|correct --email|compare|create a key|as a manager/i)
    expect(`${part}: ${action}`).toMatch(/again|address|choose a model/i)
  }
})

test('a password that is refused hides no other part', async () => {
  const findings = await diagnose(environment, { ...asked, member: { email: 'manager@demo.example', password: 'wrong' } })
  expect(named(findings, 'platform.signIn')).toMatchObject({ state: 'error' })
  expect([named(findings, 'events')?.state, named(findings, 'telephony.access')?.state]).toEqual(['ok', 'ok'])
})

const redis = await realServer('redis')

describe.skipIf(redis === null)('Redis', () => {
  test('without persistence, with eviction, and away', async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    const findings = await checkRedis(server.url)
    expect(named(findings, 'redis')?.found).toMatch(/version \d/)
    expect(named(findings, 'redis.persistence')).toMatchObject({
      state: 'error',
      found: expect.stringContaining('appendonly no') as unknown,
    })
    expect(named(findings, 'redis.eviction')).toMatchObject({ state: 'ok' })
    await server.kill()
    const away = await checkRedis(server.url.replace('redis://', 'redis://user:secret-word@'))
    expect(away).toMatchObject([{ part: 'redis', state: 'error', found: expect.stringContaining('ECONNREFUSED') as unknown }])
    expect(JSON.stringify(away)).not.toContain('secret-word')
  })

  test('with every write on the disk; a Redis without our keyring is not written', async () => {
    await using server = await startRedisServer(redis?.binary ?? '', { durable: true })
    expect(named(await checkRedis(server.url), 'redis.persistence')).toMatchObject({ state: 'ok' })
    const findings = await found({ REDIS_URL: server.url, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') })
    expect(named(findings, 'configuration')?.found).toContain('start the service once')
  })
})

test('with PORT=0 it asks for the address, and does not report what it cannot know', async () => {
  const findings = await found({ PUBLIC_URL: 'http://127.0.0.1:0' }, { address: 'http://127.0.0.1:0' })
  for (const part of ['service', 'public-address', 'webhooks']) {
    expect(named(findings, part)).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('PORT is 0') as unknown,
      action: expect.stringContaining('--address') as unknown,
    })
  }
})

const kafka = await realServer('kafka')

describe.skipIf(kafka === null)('Kafka', () => {
  const access = { brokers: [kafka?.broker ?? ''], group: 'diagnose', sasl: null, tls: null }

  test('names topics with fewer partitions than wanted, and groups that have not read', async () => {
    const log = createLog('silent')
    await ensureTopics(createKafkaClient(access, log), { topics: busTopics, partitions: 6, log })
    // Other suites create the same topics on this broker; one that is being created has no leader for a moment.
    const findings = await waitFor(async () => {
      const seen = await checkKafka({ ...access, partitions: 1_000 }, log)
      return named(seen, 'kafka.topics')?.state === 'ok' && seen
    })
    expect(named(findings, 'kafka')?.found).toBe('1 broker answers')
    expect(named(findings, 'kafka.partitions')).toMatchObject({ state: 'warning', found: expect.stringContaining('(1000)') as unknown })
    expect(named(findings, 'kafka.lag')).toMatchObject({ state: 'ok', found: 'No group has read yet' })
  })

  test('that refuses the user is an error with what it refuses', async () => {
    const { broker = '', caFile = '', username = '' } = kafka?.secure ?? {}
    const tls = { caFile, certFile: null, keyFile: null }
    const secure = { ...access, brokers: [broker], partitions: 6, tls }
    const refusals = [
      { mechanism: 'scram-sha-512', password: 'wrong', refused: 'SASL_AUTHENTICATION_FAILED' },
      { mechanism: 'plain', password: 'sandbox-password', refused: 'UNSUPPORTED_SASL_MECHANISM' },
    ] as const
    for (const { refused, ...sasl } of refusals) {
      const findings = await checkKafka({ ...secure, sasl: { ...sasl, username } }, createLog('silent'))
      expect(findings).toMatchObject([
        {
          part: 'kafka',
          state: 'error',
          found: `${broker} answers, and refuses: ${refused}`,
          action: expect.stringContaining('KAFKA_SASL_PASSWORD') as unknown,
        },
      ])
    }
  })

  test('that does not answer is an error with its address', async () => {
    const broker = `127.0.0.1:${await freePort()}`
    const findings = await checkKafka({ ...access, brokers: [broker], partitions: 6 }, createLog('silent'))
    expect(findings).toMatchObject([{ part: 'kafka', state: 'error', found: expect.stringContaining(broker) as unknown }])
  })
})

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

function run(settings: Readonly<Record<string, string>>, ...options: readonly string[]): Promise<Ran> {
  const env = { ...childEnvironment, ...settings }
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/commands/diagnose.ts', ...options], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })
}

const reportSchema = z.strictObject({
  ok: z.boolean(),
  findings: z.array(
    z.strictObject({
      part: z.string(),
      workspace: z.string().nullable(),
      state: z.enum(['ok', 'warning', 'error']),
      found: z.string(),
      action: z.string().nullable(),
    }),
  ),
})

test('the command works beside a running sandbox, says so without one, and has its exit codes', async () => {
  await using folder = await createTempDir()
  const settings = { DATA_DIR: join(folder.path, 'data'), PORT: '0' }
  {
    await using service = await startServiceProcess(settings)
    await waitFor(async () => !(await (await fetch(`${service.url}/health`)).text()).includes('"unknown"'))
    const { code, stdout } = await run(settings, '--json', '--address', service.url)
    const report = reportSchema.parse(JSON.parse(stdout))
    // Nothing that is normal in a fresh sandbox is a warning. Whether the subscription of live events is complete by now is a matter of time.
    expect(report.findings.filter(({ part, state }) => state !== 'ok' && part !== 'webhooks')).toEqual([])
    expect([code, report.ok]).toEqual([0, true])
    expect(report.findings).toContainEqual(expect.objectContaining({ part: 'service', state: 'ok' }))
    expect(report.findings).toContainEqual(expect.objectContaining({ part: 'public-address', state: 'ok' }))
    expect(new Set(report.findings.map(({ workspace }) => workspace))).toEqual(new Set([null, 'demo', 'acme']))
  }
  const without = await run(settings, '--address', nobody)
  expect(without.code).toBe(1)
  expect(without.stdout).toMatch(/WARNING service +No service answers[\s\S]*\n +-> Start it[\s\S]*ERROR +platform +http.* ECONNREFUSED/)
  expect(await run(settings, '--workspace', 'nobody')).toMatchObject({ code: 2, stderr: expect.stringContaining('WORKSPACES') as unknown })
  expect(await run(settings, '--email', 'x@y.example')).toMatchObject({ code: 2 })
})

test('a signal removes the copy of the data directory', async () => {
  await using folder = await createTempDir()
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', () => resolve()))
  const address = silent.address()
  const PLATFORM_URL = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const env = { ...childEnvironment, ...environment, PLATFORM_URL, TMPDIR: folder.path }
  const child = spawn(process.execPath, ['src/commands/diagnose.ts', '--address', nobody], { env, stdio: 'ignore' })
  const exited = once(child, 'exit')
  await using _ = { [Symbol.asyncDispose]: async () => void (child.kill('SIGKILL') && (await exited)) }
  await waitFor(async () => (await readdir(folder.path)).length > 0)
  child.kill('SIGTERM')
  expect(await exited).toEqual([143, null])
  expect(await readdir(folder.path)).toEqual([])
  silent.closeAllConnections()
  await new Promise<void>((resolve) => silent.close(() => resolve()))
})
