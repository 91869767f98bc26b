import { mkdir, writeFile } from 'node:fs/promises'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startPlatform } from '../../src/sandbox/platform/platform.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { platformEnvironment } from '../../src/sandbox/start.ts'
import { openPortKeeper } from '../../src/sandbox/stored-ports.ts'
import { startVendors, vendorEnvironment } from '../../src/sandbox/vendors.ts'
import { createRunningClock } from '../harness/clock.ts'
import { ask } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApp } from '../harness/start-app.ts'

/** What earlier releases stored (tests/fixtures/stored/write.ts), opened by this code. */

const factsSchema = z.object({ leadName: z.string(), ucid: z.string(), deadLetterId: z.string(), analysedUcid: z.string() })
const filesSchema = z.record(z.string(), z.base64())
const keySchema = z.discriminatedUnion('type', [
  z.object({ key: z.string(), msLeft: z.number(), type: z.literal('string'), value: z.string() }),
  z.object({ key: z.string(), msLeft: z.number(), type: z.literal('hash'), value: z.record(z.string(), z.string()) }),
  z.object({ key: z.string(), msLeft: z.number(), type: z.literal('zset'), value: z.array(z.string()) }),
  z.object({ key: z.string(), msLeft: z.number(), type: z.literal('list'), value: z.array(z.string()) }),
  z.object({ key: z.string(), msLeft: z.number(), type: z.literal('set'), value: z.array(z.string()) }),
])
const storedSchema = z.object({
  commit: z.string(),
  writtenAt: z.iso.datetime(),
  platform: filesSchema,
  dataDir: z.object({ facts: factsSchema, files: filesSchema }),
  redis: z.object({ facts: factsSchema, secretsKey: z.string(), keys: z.array(keySchema) }),
})
type Stored = z.output<typeof storedSchema>

const releases = globSync('tests/fixtures/stored/*.json.gz').map((file) => {
  const stored = storedSchema.parse(JSON.parse(gunzipSync(readFileSync(file)).toString()))
  return [basename(file, '.json.gz'), stored] as const
})

async function restoreFiles(folder: string, files: Stored['platform']): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
    await writeFile(join(folder, name), Buffer.from(content, 'base64'), { mode: 0o600 })
  }
}

async function restoreKeys(url: string, keys: Stored['redis']['keys']): Promise<void> {
  const redis = new Redis(url)
  for (const { key, msLeft, ...held } of keys) {
    if (held.type === 'string') await redis.set(key, held.value)
    if (held.type === 'hash') await redis.hset(key, held.value)
    if (held.type === 'list') await redis.rpush(key, ...held.value)
    if (held.type === 'set') await redis.sadd(key, ...held.value)
    if (held.type === 'zset')
      for (let at = 0; at < held.value.length; at += 2) await redis.zadd(key, held.value[at + 1] ?? '', held.value[at] ?? '')
    if (msLeft > 0) await redis.pexpire(key, msLeft)
  }
  redis.disconnect()
}

const memberOf = (name: string) => ({ email: `${name}@demo.example`, password: sandboxPassword, workspace: 'demo' })
const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

/** The texts of the lead's insight, which follows from the stored event: from a service of today on what was stored, on that day. */
async function insightAfterUpgrade(
  { writtenAt, platform: files }: Stored,
  facts: Stored['dataDir']['facts'],
  environment: Readonly<Record<string, string>>,
) {
  await using stack = new AsyncDisposableStack()
  const { path } = stack.use(await createTempDir())
  await restoreFiles(path, files)
  const clock = createRunningClock(new Date(Date.parse(writtenAt) + 90_000).toISOString())
  const platform = stack.use(await startPlatform({ clock, dataFile: join(path, 'sandbox-platform.sqlite') }))
  const vendors = await startVendors({ ports: await openPortKeeper(null), clock }, stack)
  const parties = vendorEnvironment(vendors, 'demo')
  const settings = {
    ...platformEnvironment(platform, 'demo'),
    ...parties.telephony,
    ...parties.models,
    ...parties.speech,
    ...environment,
    PORT: '0',
  }
  const { url } = stack.use(await startApp(settings, { clock }))

  // The session: the agent is signed in on another device.
  expect(await ask(url, '/auth/login', { body: memberOf('agent1') })).toMatchObject({ status: 409, body: { reason: 'SESSION_LOCKED' } })
  const { token } = signInSchema.parse((await ask(url, '/auth/login', { body: memberOf('manager') })).body).tokens.accessToken
  // The configuration: its sealed password can be opened, or the section could not be read.
  const telephony = { claimMinutes: 17, defaultAgentPassword: expect.stringContaining('mask') as unknown }
  expect(await ask(url, '/api/config/telephony', { token })).toMatchObject({ status: 200, body: telephony })
  expect((await ask(url, '/api/events/dead', { token })).body).toMatchObject({ deadLetters: [{ id: facts.deadLetterId }] })
  // The analysis, without asking the speech provider again.
  const analysis = await ask(url, '/api/recordings/analyze', { token, body: { callId: facts.analysedUcid } })
  expect(analysis).toMatchObject({ status: 200, body: { summary: expect.any(String) as unknown } })
  expect(vendors.speech.calls('listen')).toEqual([])
  // The event of the call waited for a model, which there is now.
  const lead = () => platform.records('demo', 'lead', { name: { eq: facts.leadName } })[0]
  await waitFor(() => typeof lead()?.['aiSummary'] === 'string' && lead()?.['aiSummary'] !== '')
  await waitFor(async () => JSON.stringify((await ask(url, '/health', { token })).body).includes('"events":0,"parked":0'))
  return lead()?.['aiSummary']
}

test.each(releases)('the data directory of %s opens with everything in it, and its events are delivered', async (_, stored) => {
  await using folder = await createTempDir()
  const dataDir = join(folder.path, 'data')
  await restoreFiles(dataDir, stored.dataDir.files)
  expect(await insightAfterUpgrade(stored, stored.dataDir.facts, { DATA_DIR: dataDir })).toMatch(/\w/)
})

const redis = await realServer('redis')

test.skipIf(redis === null).each(releases)('what %s stored in Redis is there, and its events are delivered', async (_, stored) => {
  await using server = await startRedisServer(redis?.binary ?? '', { durable: true })
  await using folder = await createTempDir()
  const { facts, secretsKey, keys } = stored.redis
  await restoreKeys(server.url, keys)
  expect(await insightAfterUpgrade(stored, facts, { DATA_DIR: folder.path, REDIS_URL: server.url, SECRETS_KEY: secretsKey })).toMatch(/\w/)
})

test('there is something stored to test with', () => {
  expect(releases.map(([name]) => name)).toContain('0.1.0-4774bc0')
})
