import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRunningClock } from '../harness/clock.ts'
import { ask, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { subscribe } from '../harness/subscribe.ts'
import type { OverviewAnswer } from '../harness/supervision.ts'
import {
  callbackPath,
  completeOverview,
  completingSoon,
  counted,
  overview,
  sendTraffic,
  signIn,
  startOfTraffic,
} from '../harness/supervision-traffic.ts'
import { waitFor } from '../harness/wait-for.ts'

const alertsSchema = z.array(z.object({ id: z.string(), kind: z.string() }))

async function configureAlerts(url: string, token: string, thresholds: object): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const { status } = await fetch(`${url}/api/config/alerts`, { method: 'PUT', headers, body: JSON.stringify(thresholds) })
  expect(status).toBe(200)
}

/** Early afternoon in the clinic: no day ends during a test. */
const clock = createRunningClock()

const redis = await realServer('redis')
describe.skipIf(redis === null)('two instances on one Redis', () => {
  test('have the same counts, whichever instance received a call', async () => {
    using _ = completingSoon()
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
    const calls = await sendTraffic([one, two], await callbackPath(one, token), { count: 80, from: startOfTraffic(clock) })
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
