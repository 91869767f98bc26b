import { lateStore } from '../harness/late-store.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listDeadLetters as listPage } from '../../src/features/events/list-dead-letters.ts'
import { deadLetterSubject } from '../../src/features/events/dead-letter-subject.ts'
import { replayDeadLetters } from '../../src/features/events/replay-all-dead-letters.ts'
import { replayDeadLetter } from '../../src/features/events/replay-dead-letter.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { DeadLetter } from '../../src/ports/dead-letters.ts'
import { NonRetryableError } from '../../src/ports/non-retryable-error.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { createStoreAudit } from '../../src/providers/store/audit.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { callCompleted } from '../builders/events.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { createEmbeddedBus } from '../harness/embedded-bus.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const pageSchema = z.object({
  deadLetters: z.array(z.looseObject({ id: z.string(), reason: z.string(), topic: z.string(), eventId: z.string() })),
  nextCursor: z.string().nullable(),
})
const listDeadLetters = async (app: TestApp, token: string, query = '') =>
  pageSchema.parse((await app.rest('GET', `/api/events/dead${query}`, { token })).body)

/** Ends a call with Rahul Verma by the agent's disposition; returns its UCID. */
async function endCall(app: TestApp, token: string): Promise<string> {
  const leadId = leadOf(app)['id']
  const agentId = telephonyAccounts.demo.agents[0]?.id ?? ''
  const { ucid } = app.standIns.telephony.inboundCall({ from: '+919820011111', agentId })
  const answer = await app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body: { disposition: 'Information Given', leadId } })
  expect(answer).toMatchObject({ status: 200 })
  return ucid
}

const leadOf = (app: TestApp) => app.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0] ?? {}

test('the combined schema returns the insight of a call with its time, model and event', async () => {
  await using app = await createTestApp()
  const { token } = await app.signIn('agent1@demo.example')
  await endCall(app, token)
  const written = await waitFor(() => leadOf(app)['aiSummary'])
  const query = `query($id: UUID!) { lead(filter: { id: { eq: $id } }) { name insight { summary suggestedAction writtenAt reason model eventId } } me { role } }`
  const { data } = await waitFor(async () => {
    const answer = await app.graphql(query, { token, variables: { id: leadOf(app)['id'] } })
    return JSON.stringify(answer.data).includes('eventId') && answer
  })
  expect(data).toMatchObject({
    lead: {
      name: 'Rahul Verma',
      insight: {
        summary: written,
        model: 'sandbox-model',
        writtenAt: expect.stringMatching(/Z$/) as unknown,
        eventId: expect.any(String) as unknown,
      },
    },
  })
  const { phones } = z.object({ phones: z.object({ primaryPhoneNumber: z.string() }) }).parse(leadOf(app))
  const lookup = `{ callLookup(phoneNumber: "${phones.primaryPhoneNumber}") { candidates { name insight { summary suggestedAction writtenAt reason model eventId } } } }`
  expect((await app.graphql(lookup, { token })).data).toEqual({ callLookup: { candidates: [data?.['lead']] } })
})

test('without an API key the disposition is accepted and its event is parked', async () => {
  await using app = await createTestApp({ environment: { PLATFORM_API_KEY: '' } })
  const { token } = await app.signIn('agent1@demo.example')
  await endCall(app, token)
  await waitFor(async () => JSON.stringify((await app.rest('GET', '/health')).body).includes('"parked":1'))
  expect((await app.rest('GET', '/metrics')).body).toContain('sidecar_events_parked{receiver="insights"} 1')
})

test('an event that the model refuses three times becomes a dead letter that managers see and replay once; the replay is audited', async () => {
  await using app = await createTestApp()
  const agent = await app.signIn('agent1@demo.example')
  const manager = await app.signIn('manager@demo.example')
  app.standIns.models.malformNext({ times: 100 })
  await endCall(app, agent.token)
  const { deadLetters } = await waitFor(async () => {
    const page = await listDeadLetters(app, manager.token)
    return page.deadLetters.length > 0 && page
  })
  expect(deadLetters).toEqual([expect.objectContaining({ reason: 'MODEL_REFUSED', topic: 'call.completed', receiver: 'insights' })])
  expect((await app.rest('GET', '/api/events/dead', { token: agent.token })).status).toBe(403)
  const path = `/api/events/dead/${deadLetters[0]?.id}/replay`
  expect((await app.rest('POST', path, { token: agent.token })).status).toBe(403)
  app.standIns.models.malformNext({ times: 1 })
  const replay = await app.rest('POST', path, { token: manager.token })
  expect(replay).toMatchObject({ status: 200, body: { replayed: 1, remaining: false } })
  expect((await app.rest('POST', path, { token: manager.token })).status).toBe(404)
  expect(await waitFor(() => leadOf(app)['aiSummary'])).toEqual(expect.any(String))
  const audit = await app.rest('GET', '/api/audit', { token: manager.token })
  expect(audit.body).toMatchObject({
    entries: expect.arrayContaining([expect.objectContaining({ action: 'deadLetter.replayed' })]) as unknown,
  })
})

test('a page is followed by another one only if there is more, also if it is exactly full', async () => {
  await using dir = await createTempDir()
  await using closing = new AsyncDisposableStack()
  const bus = createEmbeddedBus({ dataDir: dir.path, clock: systemClock, log: createLog('silent') })
  closing.defer(() => bus.close())
  const ids = ['a', 'b', 'c', 'd']
  for (const [index, id] of ids.entries())
    await bus.deadLetters.add({ ...withoutWorkspace, id, workspaceId: 'w1', deadAt: withoutWorkspace.deadAt - index })
  const actor = { principal: testPrincipal({ workspaceId: 'w1' }), accessToken: 't', clientAddress: '127.0.0.1' }
  const page = (first: number, after: string | null = null) =>
    listPage({ bus, servedWorkspaces: { workspaces: ['demo'] } }, actor, { first, after })
  for (const first of [4, 5])
    expect(await page(first)).toMatchObject({ nodes: ids.map((id) => ({ id })), pageInfo: { hasNextPage: false } })
  const half = await page(2)
  expect(half.nodes.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(half.pageInfo.hasNextPage).toBe(true)
  expect(await page(2, half.pageInfo.endCursor)).toMatchObject({ nodes: [{ id: 'c' }, { id: 'd' }], pageInfo: { hasNextPage: false } })
})

const withoutWorkspace = {
  id: 'without-workspace-1',
  topic: 'call.completed',
  receiver: 'insights',
  eventId: 'event-1',
  workspaceId: null,
  key: 'ucid-of-somebody',
  reason: 'NOT_JSON',
  deadAt: Date.now(),
  value: '',
  headers: {},
}

test.each([
  { workspaces: 'demo,acme', shown: 0, status: 404 },
  { workspaces: 'demo', shown: 1, status: 200 },
])(
  'a dead letter without a workspace is shown to a manager if the service works for $workspaces: $shown',
  async ({ workspaces, shown, status }) => {
    await using app = await createTestApp({ environment: { WORKSPACES: workspaces, SEED_WORKSPACE: 'demo' } })
    const outbox = createSqliteOutbox({ dataDir: app.dataDir, clock: systemClock })
    await outbox.deadLetters.add(withoutWorkspace)
    await outbox.close()
    const { token } = await app.signIn('manager@demo.example')
    expect((await listDeadLetters(app, token)).deadLetters).toHaveLength(shown)
    const all = await app.rest('POST', '/api/events/dead/replay', { token })
    expect(all).toMatchObject({ status: 200, body: { replayed: shown } })
    // It is no event, so it comes back.
    if (shown > 0) await waitFor(async () => (await listDeadLetters(app, token)).deadLetters.length === shown)
    const [one] = (await listDeadLetters(app, token)).deadLetters
    expect(await app.rest('POST', `/api/events/dead/${one?.id ?? 'without-workspace-1'}/replay`, { token })).toMatchObject({ status })
  },
)

const manager = { principal: testPrincipal({ role: 'MANAGER' }), accessToken: '', clientAddress: '127.0.0.1' } as const

/** The use cases of dead letters, for a service of one workspace. */
async function openStage() {
  await using opening = new AsyncDisposableStack()
  const { path } = opening.use(await createTempDir())
  const bus = createEmbeddedBus({ dataDir: path, clock: systemClock, log: createLog('silent') })
  opening.defer(() => bus.close())
  const store = lateStore(createSqliteStore({ dataDir: path, clock: systemClock, retentionOf }))
  opening.defer(() => store.close())
  const ports = { bus, audit: createStoreAudit({ store, clock: systemClock }), servedWorkspaces: { workspaces: ['demo'] } }
  const opened = opening.move()
  return { bus, ports, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test('a replay that fails leaves its dead letter, and those after it; the ones before are replayed', async () => {
  await using stage = await openStage()
  for (const id of ['1', '2', '3'])
    await stage.bus.deadLetters.add({ ...withoutWorkspace, id, deadAt: withoutWorkspace.deadAt + Number(id) })
  const replay = (deadLetter: DeadLetter): Promise<void> =>
    deadLetter.id === '2' ? Promise.reject(new AppError('PROVIDER_UNAVAILABLE')) : stage.bus.replay(deadLetter)
  const failing = { ...stage.ports, bus: { ...stage.bus, replay } }
  const left = async () => (await listPage(stage.ports, manager, { first: 10, after: null })).nodes.map(({ id }) => id)
  await expect(replayDeadLetter(failing, manager, '2')).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(await left()).toEqual(['3', '2', '1'])
  await expect(replayDeadLetters(failing, manager)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(await left()).toEqual(['3', '2'])
  expect(await replayDeadLetters(stage.ports, manager)).toEqual({ replayed: 2, remaining: false })
  expect(await left()).toEqual([])
  const entries = await stage.ports.audit.read(manager.principal.workspaceId, { limit: 10 })
  expect(new Set(entries.map(({ target }) => target?.id))).toEqual(new Set(['1', '2', '3']))
})

test('an event that fails again after a replay still has its id', async () => {
  await using stage = await openStage()
  const refuse = async () => Promise.reject(new NonRetryableError('MODEL_REFUSED'))
  stage.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: refuse })
  await stage.bus.start()
  const event = callCompleted('1', { workspaceId: manager.principal.workspaceId })
  await stage.bus.publish(event)
  const list = async () => (await listPage(stage.ports, manager, { first: 10, after: null })).nodes
  const [first] = await waitFor(async () => (await list()).length === 1 && list())
  expect(first?.eventId).toBe(event.id)
  await replayDeadLetter(stage.ports, manager, first?.id ?? '')
  const [second] = await waitFor(async () => (await list()).some(({ id }) => id !== first?.id) && list())
  expect(second?.eventId).toBe(event.id)
})

const leadId = '0b8f6d0a-3c54-4f0e-8d9c-7b1f5f2a9c21'
const [phoneNumber, occurredAt] = ['+919814012345', '2026-11-22T09:33:12.000Z']
const fact = (value: string) => ({ value, source: 'LIVE', rank: 0 })
const nothing = { leadId: null, phoneNumber: null, occurredAt: null }

test.each([
  { of: 'an event', content: { ucid: '1', leadId, occurredAt }, key: '1', about: { leadId, phoneNumber: null, occurredAt, key: '1' } },
  {
    of: 'a call record',
    content: {
      ucid: '1',
      facts: { leadId: fact(leadId), phoneNumber: fact(phoneNumber), startedAt: fact(occurredAt), talkSeconds: { value: 1 } },
    },
    key: '1',
    about: { leadId, phoneNumber, occurredAt, key: '1' },
  },
  {
    of: 'a webhook',
    content: { update: { facts: { phoneNumber, startedAt: occurredAt } } },
    key: JSON.stringify(['w1', 'call', '1']),
    about: { leadId: null, phoneNumber, occurredAt, key: '1' },
  },
  {
    of: 'a webhook about an extension',
    content: { update: { facts: { phoneNumber: null, dialledNumber: '5232', startedAt: occurredAt } } },
    key: JSON.stringify(['w1', 'call', '1']),
    about: { leadId: null, phoneNumber: '5232', occurredAt, key: '1' },
  },
  {
    of: 'what has other forms',
    content: { leadId: 'x', occurredAt: 7, facts: { phoneNumber: 'Rahul' } },
    key: '1',
    about: { ...nothing, key: '1' },
  },
  { of: 'what is no object', content: 'text', key: null, about: { ...nothing, key: null } },
])('a dead letter of $of says what it is about', ({ content, key, about }) => {
  expect(deadLetterSubject({ key, value: Buffer.from(JSON.stringify(content)).toString('base64') })).toEqual(about)
})
