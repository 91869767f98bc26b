import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app.ts'
import { createLog } from '../../src/kernel/log.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { createRunningClock } from '../harness/clock.ts'
import { ask, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { type OverviewAnswer, overviewSchema } from '../harness/supervision.ts'
import { subscribe } from '../harness/subscribe.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { wrongCalls } from '../prove/calls/records.ts'
import { createChance, disturb, playCall, type Posting } from '../prove/calls/traffic.ts'

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

async function signIn(url: string, email = 'manager@demo.example'): Promise<string> {
  const workspace = email.slice('manager@'.length).split('.')[0]
  const { body } = await ask(url, '/auth/login', { body: { email, password: sandboxPassword, workspace } })
  return signInSchema.parse(body).tokens.accessToken.token
}

const alertsSchema = z.array(z.object({ id: z.string(), kind: z.string() }))

async function configureAlerts(url: string, token: string, thresholds: object): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const { status } = await fetch(`${url}/api/config/alerts`, { method: 'PUT', headers, body: JSON.stringify(thresholds) })
  expect(status).toBe(200)
}

async function callbackPath(url: string, token: string): Promise<string> {
  const { body } = await ask(url, '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  return z.object({ path: z.string() }).parse(body).path
}

async function overview(url: string, token: string): Promise<OverviewAnswer> {
  return overviewSchema.parse((await ask(url, '/api/supervisor/overview', { token })).body)
}

async function completeOverview(url: string, token: string): Promise<OverviewAnswer | null> {
  const seen = await overview(url, token)
  return seen.today.complete ? seen : null
}

/** The parts of an overview that must be equal on all instances. */
const counted = ({ today: { total, byAgent, byCampaign, byDisposition, byHour }, missedWaiting, callsNow }: OverviewAnswer) => ({
  total,
  rows: [byAgent, byCampaign, byDisposition, byHour].map((rows) => rows.map((row) => JSON.stringify(row)).toSorted()),
  waiting: missedWaiting.count,
  now: callsNow.ringing + callsNow.onCall,
})

/** Calls of today, some of them with a disposition. The webhooks go to the instances in turn, some twice and out of order. */
async function sendTraffic(urls: readonly string[], path: string, { count, from }: { count: number; from: number }) {
  const chance = createChance(11)
  const calls = Array.from({ length: count }, (_, index) =>
    playCall(index, chance, { beganAt: from + index * 1_000, disposed: index < 30 }),
  )
  const sent = disturb(
    calls.flatMap(({ postings }) => postings),
    chance,
  )
  const post = ({ contentType, body }: Posting, index: number) =>
    fetch((urls[index % urls.length] ?? '') + path, { method: 'POST', headers: { 'content-type': contentType }, body })
  for (let at = 0; at < sent.length; at += 50) {
    const answers = await Promise.all(sent.slice(at, at + 50).map(post))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  return calls.map(({ expected }) => expected)
}

/** Early afternoon in the clinic: no day ends during a test. */
const clock = createRunningClock()
/** Some minutes ago. */
const startOfTraffic = (): number => Math.floor(clock.now() / 1_000) * 1_000 - 300_000

const redis = await realServer('redis')
describe.skipIf(redis === null)('two instances on one Redis', () => {
  test('have the same counts, whichever instance received a call', async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    await using service = await startInstances({ count: 2, redisUrl: server.url, clock })
    service.standIns.telephony.accountMode({ mode: 'token' })
    const [one = '', two = ''] = service.urls
    const token = await signIn(one)
    const alerts = await subscribe(two, { query: 'subscription { alertChanges { id kind clearedAt } }', token })
    await configureAlerts(one, token, { waitingMissedCalls: 5 })
    // Both read the overview first, so that their later counts come from notifications.
    const [before] = await Promise.all([one, two].map((url) => waitFor(() => completeOverview(url, token))))
    const { answered: answeredBefore = 0, missed: missedBefore = 0, calls: callsBefore = 0 } = before?.today.total ?? {}
    const calls = await sendTraffic([one, two], await callbackPath(one, token), { count: 80, from: startOfTraffic() })
    const answered = calls.filter(({ status }) => status === 'COMPLETED').length
    const isCounted = (total: OverviewAnswer['today']['total']): boolean =>
      total.answered === answeredBefore + answered && total.missed === missedBefore + 80 - answered
    const overviews = await waitFor(async () => {
      const seen = await Promise.all([one, two].map((url) => overview(url, token)))
      return seen.every(({ today: { total } }) => isCounted(total)) ? seen : null
    })
    await waitFor(async () => {
      const [left, right] = await Promise.all([one, two].map((url) => overview(url, token)))
      expect(left && counted(left)).toEqual(right && counted(right))
      return true
    })
    expect(overviews[0]?.today.total.calls).toBe(callsBefore + 80)
    // Both evaluate the thresholds: the alert is raised once, sent once, and seen on both.
    const received = () => service.standIns.alerts.received()
    const [message] = await waitFor(() => received().length > 0 && received())
    const listed = await Promise.all([one, two].map(async (url) => alertsSchema.parse((await ask(url, '/api/alerts', { token })).body)))
    expect(listed).toEqual([1, 2].map(() => [{ id: message?.data?.id, kind: 'MISSED_CALLS_WAITING' }]))
    await waitFor(() => alerts.text.includes(message?.data?.id ?? 'none'))
    alerts.leave()
    expect([received().length, service.standIns.alerts.repeated()]).toEqual([1, 0])
    const foreign = await signIn(two, 'manager@acme.example')
    expect((await ask(two, '/api/alerts', { token: foreign })).body).toEqual([])
  })
})

/** A separate service with an empty store. */
async function startService(sandbox: Sandbox): Promise<AsyncDisposable & { readonly url: string; readonly stop: () => Promise<void> }> {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(await createTempDir())
  const settings = readSettings({ ...sandbox.environmentOf('demo'), DATA_DIR: path, PORT: '0' }, [sandbox.environmentOf('acme')])
  const { url } = starting.use(await createApp(settings, { log: createLog('silent'), clock }))
  const running = starting.move()
  const stop = (): Promise<void> => running.disposeAsync()
  return { url, stop, [Symbol.asyncDispose]: stop }
}

test("after the loss of the store the day's counts come from the platform, and updates that arrive meanwhile count once", async () => {
  await using sandbox = await startSandbox({ dataDir: null, clock })
  const { platform, telephony } = sandbox.standIns
  telephony.accountMode({ mode: 'token' })
  const first = await startService(sandbox)
  await using _ = first
  const token = await signIn(first.url)
  const from = startOfTraffic()
  const expected = await sendTraffic([first.url], await callbackPath(first.url, token), { count: 220, from })
  await waitFor(() => wrongCalls(platform, expected).length === 0)
  const complete = (url: string, as: string) => waitFor(() => completeOverview(url, as))
  const before = await complete(first.url, token)
  await first.stop()
  await using second = await startService(sandbox)
  const again = await signIn(second.url)
  // Updates of some calls arrive again, before and while the platform is read.
  const path = await callbackPath(second.url, again)
  await overview(second.url, again)
  await sendTraffic([second.url], path, { count: 20, from })
  const after = await complete(second.url, again)
  const { averageWrapUpSeconds: _one, ...total } = before.today.total
  await waitFor(async () => {
    expect((await overview(second.url, again)).today.total).toMatchObject(total)
    return true
  })
  expect(counted(after).rows[1]).toEqual(counted(before).rows[1])
  expect(after.missedWaiting.count).toBe(before.missedWaiting.count)
  const names = ({ today }: OverviewAnswer) => new Set(today.byAgent.map(({ agentName }) => agentName))
  expect(names(after)).toEqual(names(before))
})
