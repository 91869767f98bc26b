import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createConsumer } from '../../src/app.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { startSandbox } from '../../src/sandbox/start.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { childEnvironment } from '../harness/child-environment.ts'
import { freePort } from '../harness/free-port.ts'
import { sampleOf } from '../harness/metrics-text.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApp } from '../harness/start-app.ts'
import { patientSettings } from '../harness/patient-settings.ts'

const kafka = await realServer('kafka')
const redis = await realServer('redis')

test('/health and /metrics report how many events wait and how old the oldest is', async () => {
  await using app = await createTestApp()
  const health = await waitFor(async () => {
    const { body } = await app.rest('GET', '/health')
    return JSON.stringify(body).includes('"bus":{"state":"up"') && body
  })
  expect(health).toMatchObject({ parts: { bus: { detail: { events: 0, oldestAgeMs: 0, parked: 0 } } } })
  const { body: metrics } = await app.rest('GET', '/metrics')
  for (const name of ['sidecar_events_waiting', 'sidecar_events_parked', 'sidecar_events_oldest_seconds'])
    expect(metrics).toContain(`# TYPE ${name} gauge`)
})

test('without its broker the service starts, signs members in and reports the broker as down', async () => {
  await using app = await createTestApp({ environment: { KAFKA_BROKERS: '127.0.0.1:9' } })
  const { token } = await app.signIn('agent1@demo.example')
  expect((await app.graphql('{ me { role } }', { token })).data).toEqual({ me: { role: 'AGENT' } })
  expect(await brokerState(app, 'down')).toBe('down')
})

test.skipIf(kafka === null)('reports the broker as up', async () => {
  await using app = await createTestApp({ environment: { KAFKA_BROKERS: kafka?.broker ?? '', KAFKA_GROUP: `test-${newId()}` } })
  expect(await brokerState(app, 'up')).toBe('up')
})

/** Waits until /health reports this state of the broker. */
async function brokerState(app: TestApp, wanted: string): Promise<string> {
  const healthSchema = z.object({ parts: z.object({ broker: z.object({ state: z.string() }) }) })
  return waitFor(
    async () => {
      const { state } = healthSchema.parse((await app.rest('GET', '/health')).body).parts.broker
      return state === wanted && state
    },
    { what: `the broker to be ${wanted}` },
  )
}

test.skipIf(redis === null)('a consumer process handles the events of the service through the Redis that both share', async () => {
  await using server = await startRedisServer(redis?.binary ?? '', { durable: true })
  await using dirs = new AsyncDisposableStack()
  await using sandbox = await startSandbox({ dataDir: null })
  const shared = {
    ...sandbox.environmentOf('demo'),
    REDIS_URL: server.url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
    METRICS_FROM: 'loopback',
  }
  const environmentOf = async () => ({ ...shared, DATA_DIR: dirs.use(await createTempDir()).path })
  await using service = await startApp(await environmentOf(), { role: 'service' })
  const signIn = await post(`${service.url}/auth/login`, { email: 'agent1@demo.example', password: sandboxPassword, workspace: 'demo' })
  const { token } = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) }).parse(signIn).tokens.accessToken
  const lead = () => sandbox.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0] ?? {}
  const { ucid } = sandbox.standIns.telephony.inboundCall({ from: '+919820011111', agentId: telephonyAccounts.demo.agents[0]?.id ?? '' })
  const before = lead()['aiInsightAt']
  await post(`${service.url}/api/calls/${ucid}/disposition`, { disposition: 'Information Given', leadId: lead()['id'] }, token)
  const bus = z.object({ parts: z.object({ bus: z.object({ detail: z.object({ events: z.number() }) }) }) })
  const waiting = async () => bus.parse(await (await fetch(`${service.url}/health`)).json()).parts.bus.detail.events
  // One for each of its two consumers.
  await waitFor(async () => (await waiting()) === 2)
  await using consumers = new AsyncDisposableStack()
  const metrics = `127.0.0.1:${await freePort()}`
  const consumer = readSettings({ ...patientSettings, ...(await environmentOf()), METRICS_ADDRESS: metrics }, [], 'consumer')
  consumers.use(await createConsumer(consumer, { log: createLog('silent') }))
  await waitFor(() => lead()['aiInsightAt'] !== before)
  await waitFor(async () => (await waiting()) === 0)
  expect(sandbox.standIns.platform.calls('updateLead')).toHaveLength(1)
  const scraped = await (await fetch(`http://${metrics}/metrics`)).text()
  expect(sampleOf(scraped, 'sidecar_upstream_call_duration_seconds_count', { operation: 'updateLead', result: 'OK' })).toBe(1)
})

async function post(url: string, body: unknown, token?: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

test('a consumer process does not start without a queue that it shares with the service', async () => {
  await using dir = await createTempDir()
  const { status, stderr, stdout } = spawnSync(process.execPath, ['src/main.ts', '--role=consumer'], {
    env: {
      ...childEnvironment,
      DATA_DIR: dir.path,
      PLATFORM_URL: 'http://127.0.0.1:9',
      PLATFORM_WORKSPACE_URL: 'http://{workspace}.localhost:9',
      WORKSPACES: 'demo',
    },
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('--role=consumer needs a queue that several processes share. Set KAFKA_BROKERS, or REDIS_URL')
})
