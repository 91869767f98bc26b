import { lateStore } from '../harness/late-store.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWebhookInbox, type ReceivedUpdate, type WebhookInbox } from '../../src/features/calls/webhook-store/webhook-inbox.ts'
import { beginIntent, type DispositionIntent, readIntent } from '../../src/features/calls/outcomes/disposition-intents.ts'
import { queueNewTask, queuedTaskWrites, readTaskWrite } from '../../src/features/calls/worklist-entries/task-queue.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { CallUpdate } from '../../src/ports/telephony-webhooks.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

/** Two workspaces whose providers use the same ids for calls and agents. */

let stack: AsyncDisposableStack
let processed: ReceivedUpdate[]
let failsIn: string | null
let inbox: WebhookInbox
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  const { path } = stack.use(await createTempDir())
  const outbox = createSqliteOutbox({ dataDir: path, clock: systemClock })
  stack.defer(() => outbox.close())
  processed = []
  failsIn = null
  const ports = { outbox, clock: systemClock, log: createLog('silent'), webhookLog: { giveUp: async () => {} } }
  inbox = createWebhookInbox(ports, async (received) => {
    if (received.workspaceId === failsIn) throw new Error('not now')
    processed.push(received)
  })
  inbox.start()
  stack.defer(() => inbox.stop())
})
afterEach(() => stack.disposeAsync())

const received = () => processed.map(({ workspaceId }) => workspaceId).toSorted()
const call: CallUpdate = { about: 'CALL', ucid: '31', source: 'LIVE', facts: { answered: true }, automaticDisposition: null }
const agent = { about: 'AGENT', agentId: 'agent1', state: 'READY', reason: null, ucid: null, at: '2025-01-15T09:00:00.000Z' } as const

test('the same report about a call reaches both, and each once', async () => {
  for (const workspaceId of ['w1', 'w2', 'w1', 'w2']) await inbox.add({ workspaceId, provider: 'ozonetel', update: call })
  await inbox.add({ workspaceId: 'w1', provider: 'ozonetel', update: { ...call, ucid: 'last' } })
  await waitFor(() => processed.some(({ update }) => update.about === 'CALL' && update.ucid === 'last'))
  await waitFor(() => processed.length === 3)
  expect(received()).toEqual(['w1', 'w1', 'w2'])
})

test.each([
  ['a call', call],
  ['an agent', agent],
] as const)('a report about %s that cannot be processed delays none of the other workspace', async (_, update) => {
  failsIn = 'w1'
  for (const workspaceId of ['w1', 'w2']) await inbox.add({ workspaceId, provider: 'ozonetel', update })
  await waitFor(() => processed.length === 1)
  expect(received()).toEqual(['w2'])
})

const workspaces = ['w1', 'w2'] as const

async function openStore() {
  const store = lateStore(createSqliteStore({ dataDir: stack.use(await createTempDir()).path, clock: systemClock, retentionOf }))
  stack.defer(() => store.close())
  return { store, clock: systemClock }
}

function intentOf(workspaceId: string): DispositionIntent {
  const none = { automatic: false, notes: null, callBackAt: null, phoneNumber: null, recorded: {}, next: null }
  const nobody = { callId: null, leadId: null, agentId: null, memberId: null, supersedes: null }
  return {
    stage: 'INTENDED',
    workspaceId,
    ucid: '31',
    claimedAt: 0,
    outcome: null,
    revision: 0,
    content: '',
    corrected: [],
    former: null,
    request: { ...none, agentId: 'agent1', agentName: null, atProvider: true, did: '+918069876501' },
    event: { ...nobody, id: workspaceId, occurredAt: '2025-01-15T09:00:00.000Z', disposition: 'Complaint' },
  }
}

test('the outcome of a call in one is not that of the same call in the other', async () => {
  const ports = await openStore()
  for (const workspaceId of workspaces) await beginIntent(ports, null, intentOf(workspaceId))
  for (const workspaceId of workspaces) {
    expect((await readIntent(ports, { workspaceId, ucid: '31' }))?.intent.event.id).toBe(workspaceId)
  }
})

test('each has a task of its own for a callback that was scheduled in the same call', async () => {
  const ports = await openStore()
  for (const workspaceId of workspaces) {
    await queueNewTask(ports, { workspaceId, ucid: '31', phoneNumber: '+919812345670', leadId: null, initial: {}, changes: {} })
  }
  for (const workspaceId of workspaces) {
    expect((await queuedTaskWrites.items.range(ports, workspaceId, { limit: 5 })).map(({ member }) => member)).toEqual(['31'])
    expect((await readTaskWrite(ports, { workspaceId, ucid: '31' }))?.write.workspaceId).toBe(workspaceId)
  }
})
