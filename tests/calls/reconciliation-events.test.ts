import { afterEach, beforeEach, expect, test } from 'vitest'
import { reconcileCalls } from '../../src/features/calls/reconciliation/reconcile-calls.ts'
import { newState, readState, writeState } from '../../src/features/calls/reconciliation/reconciliation-state.ts'
import { readCall } from '../../src/features/calls/state/call-state-store.ts'
import { trackUpdate } from '../../src/features/calls/tracking/track-update.ts'
import { createWebhookInbox } from '../../src/features/calls/webhook-store/webhook-inbox.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { CallUpdate } from '../../src/ports/telephony-webhooks.ts'
import type { MissedCall, Telephony } from '../../src/ports/telephony.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

/** The events of calls that no webhook reported, with records that a test gives. */

let desk: CallsDesk
let stack: AsyncDisposableStack
let received: { readonly type: string; readonly ucid: string; readonly occurredAt: string }[]
let records: readonly CallUpdate[]
let missed: readonly MissedCall[]
let reportsLeft: boolean
let processed: number
let reconcile: () => Promise<void>
let process: (update: CallUpdate) => Promise<void>
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  desk = stack.use(await createCallsDesk())
  const { callPorts, bus, workspaceId } = desk
  received = []
  records = []
  missed = []
  reportsLeft = true
  processed = 0
  for (const topic of ['call.missed', 'call.completed'] as const) {
    bus.subscribe({
      name: `test-${topic}`,
      topic,
      handle: async ({ type, ucid, occurredAt }) => void received.push({ type, ucid, occurredAt }),
    })
  }
  await bus.start()
  const { path } = stack.use(await createTempDir())
  const outbox = createSqliteOutbox({ dataDir: path, clock: callPorts.clock })
  stack.defer(() => outbox.close())
  const webhookInbox = createWebhookInbox({ ...callPorts, outbox }, async (update) => {
    await trackUpdate(callPorts, update)
    processed += 1
  })
  webhookInbox.start()
  stack.defer(() => webhookInbox.stop())
  const telephony = await callPorts.telephonyOf(workspaceId)
  const telephonyOf = async (): Promise<Telephony> => ({
    ...telephony,
    missedCalls: async () => missed,
    async callRecordPage() {
      if (!reportsLeft) throw new AppError('PROVIDER_UNAVAILABLE', { data: { retryAfterSeconds: 0 } })
      return { records, unreadable: 0, next: null }
    },
  })
  const hourAgo = callPorts.clock.now() - 3_600_000
  await writeState(callPorts, workspaceId, newState(hourAgo))
  reconcile = async () => {
    await reconcileCalls({ ...callPorts, webhookInbox, telephonyOf }, { workspaceId, awaySince: callPorts.clock.now() + 1 })
  }
  process = async (update) => void (await webhookInbox.add({ workspaceId, provider: 'ozonetel', update }))
})
afterEach(() => stack.disposeAsync())

// Read once: a test may run over the end of a minute.
const halfAnHourAgo = Math.floor(Date.now() / 60_000) * 60_000 - 1_800_000
const at = (minutes: number): string => new Date(halfAnHourAgo + minutes * 60_000).toISOString()

function recordOf(ucid: string, facts: CallUpdate['facts']): CallUpdate {
  const common = { direction: 'INBOUND', phoneNumber: '+919812345670', did: '+918069876501', startedAt: at(0), endedAt: at(2) } as const
  return { about: 'CALL', ucid, source: 'RECORD', facts: { ...common, ...facts }, automaticDisposition: null }
}
const answered = (ucid: string, agentId = 'agent1') =>
  recordOf(ucid, { answered: true, agentId, answeredAt: at(1), talkSeconds: 60, disposition: 'Information Given' })
const unanswered = (ucid: string, agentId: string | null = null) => recordOf(ucid, { answered: false, agentId, talkSeconds: 0 })

test('each lost call has one event with its own time, whatever arrives late and however often it is compared', async () => {
  records = [answered('31'), unanswered('32')]
  await reconcile()
  await waitFor(() => received.length === 2)
  await reconcile()
  for (const update of records) await process(update)
  const live = { about: 'CALL', source: 'LIVE', automaticDisposition: null } as const
  await process({ ...live, ucid: '31', facts: { direction: 'INBOUND', agentId: 'agent1', startedAt: at(0) } })
  await process({ ...live, ucid: '32', facts: { direction: 'INBOUND', startedAt: at(0) } })
  await process({ ...live, ucid: '32', facts: { direction: 'INBOUND', endedAt: at(2) } })
  await process({ ...unanswered('32'), automaticDisposition: 'None' })
  await process(unanswered('33'))
  await waitFor(() => received.length > 2)
  expect(received.toSorted((one, other) => one.ucid.localeCompare(other.ucid))).toEqual([
    { type: 'call.completed', ucid: '31', occurredAt: at(2) },
    { type: 'call.missed', ucid: '32', occurredAt: at(2) },
    { type: 'call.missed', ucid: '33', occurredAt: at(2) },
  ])
  expect(await readState(desk.callPorts, desk.workspaceId)).toMatchObject({ addedInAll: 2 })
})

test('records that do not say whether and when a call ended end it once, and change nothing that is known', async () => {
  const live = { about: 'CALL', source: 'LIVE', automaticDisposition: null } as const
  const bare = { answered: null, endedAt: null, direction: null, did: null, phoneNumber: null, agentId: null } as const
  await process({
    ...live,
    ucid: '61',
    facts: { ...unanswered('61', 'agent1').facts, answered: null, answeredAt: at(1), talkSeconds: null },
  })
  await process({ ...live, ucid: '62', facts: { direction: 'OUTBOUND', startedAt: at(0), answeredAt: at(1) } })
  await waitFor(() => processed === 2)
  const ended = await readCall(desk.callPorts, { workspaceId: desk.workspaceId, ucid: '61' })
  records = [recordOf('61', bare), recordOf('62', bare)]
  for (let times = 0; times < 3; times += 1) await reconcile()
  await waitFor(() => processed === 3)
  expect(await readCall(desk.callPorts, { workspaceId: desk.workspaceId, ucid: '61' })).toEqual(ended)
  const other = await readCall(desk.callPorts, { workspaceId: desk.workspaceId, ucid: '62' })
  expect(other).toMatchObject({ phase: 'COMPLETED', direction: 'OUTBOUND', answeredAt: at(1), isEndGuessed: true })
  expect(await readState(desk.callPorts, desk.workspaceId)).toMatchObject({ addedInAll: 1 })
})

test('a call that one agent did not answer and the next one did is no missed call', async () => {
  records = [unanswered('41', 'agent2'), answered('41'), unanswered('41', 'agent3'), unanswered('42')]
  await reconcile()
  await waitFor(() => received.length === 2)
  await reconcile()
  await process(unanswered('43'))
  await waitFor(() => received.length > 2)
  expect(received.map(({ type, ucid }) => `${type} ${ucid}`).toSorted((one, other) => one.localeCompare(other))).toEqual([
    'call.completed 41',
    'call.missed 42',
    'call.missed 43',
  ])
  expect(processed).toBe(3)
})

test('missed calls that were added while no report could be read are counted, once', async () => {
  missed = [{ ucid: '51', phoneNumber: '+919812345670', did: null, agentId: null, at: at(2) }]
  reportsLeft = false
  await reconcile()
  await waitFor(() => processed === 1)
  await reconcile()
  reportsLeft = true
  await reconcile()
  expect(await readState(desk.callPorts, desk.workspaceId)).toMatchObject({ run: null, lastRun: { added: 1 }, addedInAll: 1 })
})
