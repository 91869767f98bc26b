import { expect, test } from 'vitest'
import { realServer } from '../harness/real-server.ts'
import { startReconciliationDesk } from '../harness/reconciliation-desk.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const redis = await realServer('redis')

test.skipIf(redis === null)('of two instances one compares, and each lost call is added once', async () => {
  await using server = await startRedisServer(redis?.binary ?? '', { durable: true })
  await using desk = await startReconciliationDesk({ redisUrl: server.url })
  const { telephony, platform, models } = desk.standIns
  telephony.accountMode({ delivery: 'lost' })
  const { ucid } = telephony.inboundCall({ from: '+919812345670', agentId: 'agent1', talkSeconds: 4, ringSeconds: 2 })
  await desk.disposeAtProvider(ucid, { disposition: 'Information Given', comments: 'asked for the green room' })
  desk.clock.advance(5 * 60_000 + 1_000)
  await waitFor(async () => (await desk.status())?.addedInAll === 1)
  const summary = () => String(platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0]?.['aiSummary'])
  await waitFor(() => summary().includes('asked for the green room'))
  // A call that both instances know was processed after it.
  telephony.accountMode({ delivery: 'works' })
  const next = telephony.missCall({ from: '+919945012345' })
  const recordsOf = (one: string) => platform.records('demo', 'call', { ucid: { eq: one } })
  await waitFor(() => recordsOf(next.ucid).length === 1)
  const pages = telephony.calls('fetchCdrByPagination').filter(({ body }) => body.includes('demo-account'))
  expect(pages).toHaveLength(1)
  expect(recordsOf(ucid)).toHaveLength(1)
  expect(models.calls().filter(({ body }) => body.includes('asked for the green room'))).toHaveLength(1)
})
