import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { watchActor } from '../../src/features/auth/watch-actor.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { waitFor } from '../harness/wait-for.ts'

const tenMinutes = 600_000
/** As the platform issues them. */
const accessTokenMs = 1_800_000

/** The system clock of the service's machine is set, while the clocks of the platform and of the providers go on. */
describe.each([
  ['forward', tenMinutes],
  ['back', -tenMinutes],
])('the clock of the service is set %s by ten minutes', (_direction, jumpMs) => {
  let app: TestApp
  let agent: TestSignIn
  let aheadMs: number
  beforeEach(async () => {
    aheadMs = 0
    app = await createTestApp({ clock: { now: () => Date.now() + aheadMs }, standInClock: systemClock, receivesWebhooks: true })
    agent = await app.signIn('agent1@demo.example')
  })
  afterEach(() => app[Symbol.asyncDispose]())

  const jump = (): void => void (aheadMs += jumpMs)
  /** So much time passes that a clock which was set back is where it was. */
  const catchUp = (): void => void (aheadMs += tenMinutes)
  const post = (path: string, { token }: { token: string }, body: unknown = {}) => app.rest('POST', path, { token, body })
  const records = (ucid: string) => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })

  test('the session stays: heartbeats renew it, nobody else gets it, and it can be ended and begun again', async () => {
    jump()
    expect(await post('/auth/heartbeat', agent)).toMatchObject({ status: 200 })
    await expect(app.signIn('agent1@demo.example')).rejects.toThrow('SESSION_LOCKED')
    catchUp()
    expect(await post('/auth/heartbeat', agent)).toMatchObject({ status: 200 })
    expect(await post('/auth/logout', agent)).toMatchObject({ status: 200 })
    expect(await app.signIn('agent1@demo.example')).toMatchObject({ agentId: agent.agentId })
  })

  test('the tokens of the telephony provider go on, and few are asked for', async () => {
    for (const state of ['READY', 'NOT_READY', 'READY']) {
      const body = { state, ...(state === 'NOT_READY' && { reason: 'Lunch' }) }
      expect(await app.rest('PUT', '/api/agents/me/state', { token: agent.token, body })).toMatchObject({ status: 200 })
      jump()
    }
    // One at the sign-in, and one each ten minutes.
    expect(app.standIns.telephony.calls('generateToken').length).toBeLessThanOrEqual(4)
  })

  test('a call during which it is set gets one record, with the times of the provider and the outcome', async () => {
    const { telephony } = app.standIns
    const { ucid } = telephony.ring({ from: '+919820022221', agentId: 'agent1' })
    telephony.answer({ ucid })
    const current = async () => JSON.stringify((await app.rest('GET', '/api/calls/current', { token: agent.token })).body)
    await waitFor(async () => (await current()).includes('ANSWERED'))
    jump()
    telephony.hangUp({ ucid })
    await waitFor(async () => (await post(`/api/calls/${ucid}/disposition`, agent, { disposition: 'Information Given' })).status === 200)
    catchUp()
    await waitFor(() => records(ucid)[0]?.['disposition'] === 'Information Given')
    expect(records(ucid)).toHaveLength(1)
    const { startedAt, endedAt } = z.object({ startedAt: z.coerce.date(), endedAt: z.coerce.date() }).parse(records(ucid)[0])
    expect(Math.abs(endedAt.getTime() - startedAt.getTime())).toBeLessThan(60_000)
  })

  test('what waits for its next try is tried at the latest when the clock has caught up, and is written once', async () => {
    const { telephony, platform } = app.standIns
    platform.fault({ operation: 'createCall', act: 'refuse', status: 503 })
    const { ucid } = telephony.inboundCall({ from: '+919820022222', agentId: 'agent1' })
    await waitFor(async () => (await post(`/api/calls/${ucid}/disposition`, agent, { disposition: 'Information Given' })).status === 200)
    await waitFor(() => platform.calls('createCall').length > 0)
    jump()
    platform.clearFaults()
    catchUp()
    await waitFor(() => records(ucid)[0]?.['disposition'] === 'Information Given')
    expect(records(ucid)).toHaveLength(1)
  })

  test('wrong passwords stay counted for their quarter of an hour, and are allowed again when it has passed', async () => {
    const body = { email: 'user@demo.example', password: 'wrong', workspace: 'demo' }
    const attempt = () => app.rest('POST', '/auth/login', { body })
    for (let count = 0; count < 10; count += 1) await attempt()
    jump()
    const refused = await attempt()
    expect(refused).toMatchObject({ status: 429 })
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual((15 * 60_000 + tenMinutes) / 1_000)
    for (let times = 0; times < 3; times += 1) catchUp()
    expect(await attempt()).toMatchObject({ status: 401 })
  })
})

test('the token of a sign-in that has ended is not sent on to the platform, which still accepts it when it has expired by the clock of the service', async () => {
  let aheadMs = 0
  await using app = await createTestApp({ clock: { now: () => Date.now() + aheadMs }, standInClock: systemClock })
  const { token } = await app.signIn('user@demo.example')
  expect(await app.rest('POST', '/auth/logout', { token, body: {} })).toMatchObject({ status: 200 })
  aheadMs = accessTokenMs + tenMinutes
  const ended = { code: 'UNAUTHENTICATED', data: { endedBy: 'SIGN_OUT' } }
  expect(await app.graphql('{ leads(first: 1) { totalCount } }', { token })).toMatchObject({ errors: [{ extensions: ended }] })
})

test('rights that were taken away end a stream at its next check, also if the clock was set back before', async () => {
  let now = Date.parse('2025-01-15T09:00:00.000Z')
  const principal = testPrincipal({ role: 'MANAGER' })
  const ports = {
    principals: { resolve: async () => ({ ...principal, role: 'USER' as const }), follow: () => new DisposableStack() },
    clock: { now: () => now },
    store: { get: async () => null },
    notifications: createInProcessNotifications({ log: createLog('silent') }),
  }
  const allowed = watchActor(ports, { principal, accessToken: 'token', clientAddress: '127.0.0.1' })
  await allowed.check()
  now -= tenMinutes
  expect(allowed.dueInMs()).toBeLessThanOrEqual(30_000)
  now += 30_000
  await expect(allowed.check()).rejects.toMatchObject({ reason: 'ROLE_MISSING' })
})
