import { spawnSync } from 'node:child_process'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { newId } from '../src/kernel/ids.ts'
import { createTestApp, type TestApp } from './harness/app.ts'
import { createTempDir } from './harness/temp-dir.ts'
import { waitFor } from './harness/wait-for.ts'

const kafka = inject('kafka')

test('depth and age of what waits stand in /health and /metrics', async () => {
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

test('with the broker away the service starts, signs people in and says what is down', async () => {
  await using app = await createTestApp({ environment: { KAFKA_BROKERS: '127.0.0.1:9' } })
  const { token } = await app.signIn('agent1@demo.example')
  expect((await app.graphql('{ me { role } }', { token })).data).toEqual({ me: { role: 'AGENT' } })
  expect(await brokerState(app, 'down')).toBe('down')
})

test.skipIf(kafka === null)('with the broker there it says so', async () => {
  await using app = await createTestApp({ environment: { KAFKA_BROKERS: kafka?.broker ?? '', KAFKA_GROUP: `test-${newId()}` } })
  expect(await brokerState(app, 'up')).toBe('up')
})

/** The broker's state in /health once it is this one, or the last one seen. */
async function brokerState(app: TestApp, wanted: string): Promise<string> {
  const healthSchema = z.object({ parts: z.object({ broker: z.object({ state: z.string() }) }) })
  return waitFor(
    async () => {
      const { state } = healthSchema.parse((await app.rest('GET', '/health')).body).parts.broker
      return state === wanted && state
    },
    { deadlineMs: 20_000, what: `the broker to be ${wanted}` },
  )
}

test('a consumer alone is refused where it could get no event, in words', async () => {
  await using dir = await createTempDir()
  const { status, stderr, stdout } = spawnSync(process.execPath, ['src/main.ts', '--role=consumer'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dir.path,
      PLATFORM_URL: 'http://127.0.0.1:9',
      PLATFORM_WORKSPACE_URL: 'http://{workspace}.localhost:9',
      WORKSPACES: 'demo',
    },
    encoding: 'utf8',
    timeout: 15_000,
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr.trim()).toBe('--role=consumer takes events from elsewhere, or leaves them to others: it needs KAFKA_BROKERS.')
})
