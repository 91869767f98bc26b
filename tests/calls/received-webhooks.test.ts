import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createWebhookInbox, type ReceivedUpdate } from '../../src/features/calls/webhook-store/webhook-inbox.ts'
import { readWebhookLog, type WebhookFilter } from '../../src/features/calls/webhooks/read-webhook-log.ts'
import { readWebhookStatus } from '../../src/features/calls/webhooks/read-webhook-status.ts'
import { webhookLogDays } from '../../src/features/calls/webhook-store/entry.ts'
import { replayWebhook, replayWebhooks } from '../../src/features/calls/webhooks/replay-webhooks.ts'
import { createWebhookLog, type WebhookLog } from '../../src/features/calls/webhook-store/webhook-log.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createSecretBox } from '../../src/kernel/secrets.ts'
import { NonRetryableError } from '../../src/ports/non-retryable-error.ts'
import type { Outbox } from '../../src/ports/outbox.ts'
import type { Store } from '../../src/ports/store.ts'
import type { CallUpdate } from '../../src/ports/telephony-webhooks.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { createStoreAudit } from '../../src/providers/store/audit.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTestApp } from '../harness/app.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createChance, type Posting, playCall } from '../prove/calls/traffic.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const webhookSchema = z.object({
  id: z.string(),
  provider: z.string(),
  verdict: z.string(),
  about: z.string().nullable(),
  ucid: z.string().nullable(),
  reason: z.string().nullable(),
  durationMs: z.number().nullable(),
})
const key = async (app: Awaited<ReturnType<typeof createTestApp>>, token: string): Promise<string> => {
  const made = await app.rest('POST', '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  return z.object({ path: z.string() }).parse(made.body).path
}

test('lists what became of each webhook, with filters and pages, for the managers of its workspace', async () => {
  await using app = await createTestApp()
  const [manager, agent, foreigner] = await Promise.all(
    ['manager@demo.example', 'agent1@demo.example', 'manager@acme.example'].map((email) => app.signIn(email)),
  )
  const path = await key(app, manager?.token ?? '')
  const post = async (to: string, { contentType, body }: Posting): Promise<number> =>
    (await fetch(app.url + to, { method: 'POST', headers: { 'content-type': contentType }, body })).status
  const { postings, expected } = playCall(1, createChance(2))
  const [ringing, ...others] = postings
  const record = others.at(-1)
  if (!ringing || !record) throw new Error('the call has webhooks')
  const forged = { ...record, body: record.body.replace(/Apikey%22%3A%22[^%]+/, 'Apikey%22%3A%22forged') }
  const json = 'application/json'
  const sent = [
    await post(path, ringing),
    await post(path, ringing),
    await post(path, record),
    await post(path, { contentType: json, body: JSON.stringify({ eventType: 'Weather', data: {} }) }),
    await post(path, forged),
    await post(path, { contentType: json, body: '[]' }),
    await post(path, { contentType: json, body: `"${'x'.repeat(300_000)}"` }),
    await post(path.replace(/.{20}$/, 'x'.repeat(20)), ringing),
  ]
  expect(sent).toEqual([200, 200, 200, 200, 401, 400, 413, 404])
  const list = async (query = '', token = manager?.token) => {
    const { status, body } = await app.rest('GET', `/api/webhooks${query}`, { token })
    return status === 200 ? z.array(webhookSchema).parse(body) : status
  }
  const listed = await waitFor(async () => {
    const found = await list()
    return Array.isArray(found) && found.length === 7 && found
  })
  const [call, about] = [expected.ucid, null]
  const entries = [
    { provider: 'ozonetel', verdict: 'ACCEPTED', about: 'CALL_EVENT', ucid: call, reason: null },
    { verdict: 'DUPLICATE', about: 'CALL_EVENT', ucid: call },
    { verdict: 'ACCEPTED', about: 'CALL_RECORD', ucid: call },
    { verdict: 'IGNORED', about, ucid: null, reason: null },
    { verdict: 'REFUSED', about, ucid: null, reason: 'WEBHOOK_REFUSED' },
    { verdict: 'REFUSED', about, reason: 'INVALID_INPUT' },
    { verdict: 'REFUSED', about, reason: 'INVALID_INPUT', durationMs: null },
  ]
  // Those of one millisecond have any order.
  for (const entry of entries) expect(listed).toContainEqual(expect.objectContaining(entry))
  expect(listed.every(({ durationMs, reason }) => durationMs !== null || reason === 'INVALID_INPUT')).toBe(true)
  expect(await list('?verdict=DUPLICATE')).toHaveLength(1)
  expect(await list(`?ucid=${call}`)).toHaveLength(3)
  expect(await list('?provider=exotel')).toEqual([])
  expect(await list(`?to=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([])
  expect(await list(`?from=${new Date(Date.now() - 3_600_000).toISOString()}&verdict=REFUSED`)).toHaveLength(3)
  const query = `query ($after: String) { webhookLog(first: 4, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`
  const pageSchema = z.object({
    webhookLog: z.object({
      nodes: z.array(z.object({ id: z.string() })),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string() }),
    }),
  })
  const page = async (after: string | null) =>
    pageSchema.parse((await app.graphql(query, { token: manager?.token, variables: { after } })).data).webhookLog
  const first = await page(null)
  const second = await page(first.pageInfo.endCursor)
  expect([first, second].flatMap(({ nodes }) => nodes.map(({ id }) => id))).toEqual(listed.map(({ id }) => id))
  expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false])
  const { body: status } = await app.rest('GET', '/api/webhooks/status', { token: manager?.token })
  const counts = { accepted: 2, duplicates: 1, ignored: 1, refused: 3, failed: 0, notListed: 0 }
  expect(status).toMatchObject([{ id: 'ozonetel', provider: 'ozonetel', ...counts }])
  expect(JSON.stringify(status)).toMatch(/"lastReceivedAt":"2.*"lastHandledAt":"2/)
  expect([await list('', agent?.token), await list('', foreigner?.token)]).toEqual([403, []])
  expect((await app.rest('GET', '/api/webhooks/status', { token: foreigner?.token })).body).toEqual([])
})

describe('the log alone', () => {
  let stack: AsyncDisposableStack
  let clock: TestClock
  let store: Store
  let outbox: Outbox
  let webhookLog: WebhookLog
  const log = createLog('silent')
  const webhookBox = createSecretBox(randomBytes(32))
  const target = { workspaceId: 'w1', provider: 'ozonetel' }
  const actor = { principal: testPrincipal({ workspaceId: 'w1' }), accessToken: '', clientAddress: '127.0.0.1' }
  const update = (ucid: string): CallUpdate => ({
    about: 'CALL',
    ucid,
    source: 'RECORD',
    facts: { notes: 'knee' },
    automaticDisposition: null,
  })
  const list = async (filter: WebhookFilter = {}, first = 1_000) => (await readWebhookLog({ store }, actor, { first, filter })).nodes
  const ports = () => ({
    store,
    clock,
    log,
    webhookLog,
    webhookBox,
    audit: createStoreAudit({ store, clock }),
    webhookProviders: ['ozonetel'],
  })

  beforeEach(async () => {
    stack = new AsyncDisposableStack()
    clock = createTestClock()
    const { path: dataDir } = stack.use(await createTempDir())
    store = createSqliteStore({ dataDir, clock, retentionOf })
    stack.defer(() => store.close())
    outbox = createSqliteOutbox({ dataDir, clock })
    stack.defer(() => outbox.close())
    webhookLog = createWebhookLog({ store, clock, log, webhookBox })
    stack.defer(() => webhookLog.stop())
  })
  afterEach(() => stack.disposeAsync())

  test('a flood of rubbish is counted, and neither fills the store nor hides the good webhooks', async () => {
    for (let number = 0; number < 40; number += 1) webhookLog.note(target, { verdict: 'ACCEPTED', updates: [update(`c${number}`)] })
    for (let number = 0; number < 5_000; number += 1)
      webhookLog.note(target, { verdict: 'REFUSED', reason: 'WEBHOOK_REFUSED', detail: 'x'.repeat(900) })
    const countOf = async () => (await readWebhookStatus(ports(), actor))[0]?.refused
    await waitFor(async () => (await countOf()) === 5_000)
    for (let number = 0; number < 500; number += 1) webhookLog.note(target, { verdict: 'REFUSED', reason: 'WEBHOOK_REFUSED' })
    await waitFor(async () => (await countOf()) === 5_500)
    await waitFor(async () => (await list()).length === 140)
    expect(await list({ verdict: 'ACCEPTED' })).toHaveLength(40)
    expect((await list({ verdict: 'REFUSED' })).every(({ detail }) => (detail?.length ?? 0) <= 200)).toBe(true)
    expect(await readWebhookStatus(ports(), actor)).toMatchObject([{ accepted: 40, refused: 5_500, notListed: 5_400 }])
    // The next hour has room again.
    clock.advance(3_600_000)
    webhookLog.note(target, { verdict: 'REFUSED', reason: 'WEBHOOK_REFUSED' })
    await waitFor(async () => (await list()).length === 141)
    // After 7 days nothing is left.
    clock.advance(7 * 86_400_000)
    expect(await list()).toEqual([])
  })

  test('a flood at the address of one provider hides no webhook of another one', async () => {
    const other = { ...target, provider: 'exotel' }
    for (let number = 0; number < 150; number += 1) webhookLog.note(target, { verdict: 'REFUSED', reason: 'WEBHOOK_REFUSED' })
    clock.advance(1)
    webhookLog.note(other, { verdict: 'REFUSED', reason: 'INVALID_INPUT' })
    await webhookLog.stop()
    expect([(await list({ provider: 'ozonetel' })).length, (await list({ provider: 'exotel' })).length]).toEqual([100, 1])
    const [ozonetel, exotel] = await readWebhookStatus({ ...ports(), webhookProviders: ['ozonetel', 'exotel'] }, actor)
    expect([ozonetel?.refused, ozonetel?.notListed, exotel?.refused, exotel?.notListed]).toEqual([150, 50, 1, 0])
    expect([ozonetel?.lastReceivedAt, exotel?.lastReceivedAt]).toEqual([isoMoment(clock.now() - 1), isoMoment(clock.now())])
  })

  test('a filter by time has the webhooks of its first moment, and none of its last', async () => {
    const begin = clock.now()
    for (let number = 0; number < 4; number += 1) {
      webhookLog.note(target, { verdict: 'ACCEPTED', updates: [update(`c${number}`)] })
      clock.advance(1)
    }
    await webhookLog.stop()
    const shown = async (filter: WebhookFilter, first?: number) => (await list(filter, first)).map(({ ucid }) => ucid)
    const [from, to] = [isoMoment(begin + 1), isoMoment(begin + 3)]
    expect(await shown({ from, to })).toEqual(['c2', 'c1'])
    expect([await shown({ from }), await shown({ to })]).toEqual([
      ['c3', 'c2', 'c1'],
      ['c2', 'c1', 'c0'],
    ])
    expect(await shown({ from, to: from })).toEqual([])
    // The next page goes on within the time.
    const read = (after: string | null) => readWebhookLog({ store }, actor, { first: 1, after, filter: { from, to } })
    const page = await read(null)
    const next = await read(page.pageInfo.endCursor)
    expect([page, next].map(({ nodes, pageInfo }) => [nodes[0]?.ucid, pageInfo.hasNextPage])).toEqual([
      ['c2', true],
      ['c1', false],
    ])
  })

  test('has the newest entries of a workspace, if there are very many', async () => {
    const own = createWebhookLog({ store, clock, log, webhookBox, maxEntries: 200 })
    for (let number = 0; number < 350; number += 1) {
      clock.advance(1)
      own.note(target, { verdict: 'ACCEPTED', updates: [update(`c${number}`)] })
    }
    await own.stop()
    const listed = await list()
    expect([listed.length, listed[0]?.ucid, listed.at(-1)?.ucid]).toEqual([200, 'c349', 'c150'])
    expect(await readWebhookStatus(ports(), actor)).toMatchObject([{ accepted: 350 }])
  })

  test('an entry that another version of the service has stored in another form hides no other', async () => {
    webhookLog.note(target, { verdict: 'ACCEPTED', updates: [update('c1')] })
    await webhookLog.stop()
    await store.sortedAdd('webhook-log:w1', '{"id":"x","provider":"ozonetel","verdict":"POSTPONED"}', clock.now())
    expect((await list()).map(({ ucid }) => ucid)).toEqual(['c1'])
  })

  test('a time of the last webhook in another form holds up the log of no workspace, and is replaced by the next one', async () => {
    await store.set('webhook-log-last:w1:ozonetel', '{"version":2}', { ttlMs: 86_400_000 })
    expect(await readWebhookStatus(ports(), actor)).toEqual([])
    webhookLog.note(target, { verdict: 'ACCEPTED', updates: [update('c1')] })
    webhookLog.note({ ...target, workspaceId: 'w2' }, { verdict: 'ACCEPTED', updates: [update('c2')] })
    await webhookLog.stop()
    expect((await list()).map(({ ucid }) => ucid)).toEqual(['c1'])
    const other = { ...actor, principal: testPrincipal({ workspaceId: 'w2' }) }
    expect((await readWebhookLog({ store }, other, { first: 10, filter: {} })).nodes.map(({ ucid }) => ucid)).toEqual(['c2'])
    expect(await readWebhookStatus(ports(), actor)).toMatchObject([{ lastReceivedAt: isoMoment(clock.now()), accepted: 1 }])
  })

  test('entries that cannot be written hold up no others', async () => {
    const broken: Store = {
      ...store,
      increment: async (key, ...given) => {
        if (key.includes(':w1:')) throw new AppError('STORE_UNAVAILABLE')
        return store.increment(key, ...given)
      },
    }
    const own = createWebhookLog({ store: broken, clock, log, webhookBox })
    own.note(target, { verdict: 'ACCEPTED', updates: [update('c1')] })
    own.note({ ...target, workspaceId: 'w2' }, { verdict: 'ACCEPTED', updates: [update('c2')] })
    await own.stop()
    const other = { ...actor, principal: testPrincipal({ workspaceId: 'w2' }) }
    expect((await readWebhookLog({ store }, other, { first: 10, filter: {} })).nodes.map(({ ucid }) => ucid)).toEqual(['c2'])
  })

  test('waits for a store that is away, and counts each webhook once', async () => {
    let isAway = true
    const down = async (): Promise<never> => Promise.reject(new AppError('STORE_UNAVAILABLE'))
    const away: Store = {
      ...store,
      increment: (...given) => (isAway ? down() : store.increment(...given)),
      sortedAdd: (...given) => (isAway ? down() : store.sortedAdd(...given)),
    }
    const own = createWebhookLog({ store: away, clock, log, webhookBox })
    own.note(target, { verdict: 'FAILED', reason: 'STORE_UNAVAILABLE', updates: [update('c1')] })
    await own.stop()
    expect(await list()).toEqual([])
    isAway = false
    own.note(target, { verdict: 'ACCEPTED', updates: [update('c2')] })
    await own.stop()
    expect((await list()).map(({ verdict }) => verdict).toSorted()).toEqual(['ACCEPTED', 'FAILED'])
    expect(await readWebhookStatus(ports(), actor)).toMatchObject([{ accepted: 1, failed: 1 }])
  })

  test('failed webhooks are replayed once, audited and visible; one that fails again does not stop the others', async () => {
    const processed: ReceivedUpdate[] = []
    let refused: string | null = 'c2'
    const inbox = createWebhookInbox({ outbox, clock, log, webhookLog }, async (received) => void processed.push(received))
    const webhookInbox: typeof inbox = {
      ...inbox,
      add: async (received, replay) => {
        if (received.update.ucid === refused) throw new AppError('OVERLOADED')
        return inbox.add(received, replay)
      },
    }
    inbox.start()
    stack.defer(() => inbox.stop())
    const receivedAt = clock.now()
    for (const ucid of ['c1', 'c2', 'c3']) webhookLog.note(target, { verdict: 'FAILED', reason: 'OVERLOADED', updates: [update(ucid)] })
    const failed = await waitFor(async () => (await list()).length === 3 && (await list({ verdict: 'FAILED' })))
    expect(failed.every(({ canReplay, replayedAt }) => canReplay && replayedAt === null)).toBe(true)
    // The store has nothing of the content in clear.
    for (const { id } of failed) expect(await store.get(`webhook-failed:w1:${id}`)).not.toContain('knee')
    const [before] = await readWebhookStatus(ports(), actor)
    clock.advance(60_000)
    const all = { ...ports(), webhookInbox }
    expect(await replayWebhooks(all, actor)).toEqual({ replayed: 2, failed: 1, remaining: false })
    await waitFor(() => processed.length === 2)
    expect(new Set(processed.map(({ update: { ucid } }) => ucid))).toEqual(new Set(['c1', 'c3']))
    // A late replay must not seem newer than what came meanwhile.
    expect(processed.every((one) => one.receivedAt === receivedAt)).toBe(true)
    refused = null
    const second = failed.find(({ ucid }) => ucid === 'c2')?.id ?? ''
    const atOnce = await Promise.all([replayWebhook(all, actor, second), replayWebhook(all, actor, second)])
    expect(atOnce.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(1)
    expect(await replayWebhook(all, actor, second)).toEqual({ replayed: 0, failed: 0, remaining: false })
    expect(await replayWebhooks(all, actor)).toEqual({ replayed: 0, failed: 0, remaining: false })
    await waitFor(() => processed.length === 3)
    const replays = await waitFor(async () => (await list()).length === 6 && (await list({ verdict: 'ACCEPTED' })))
    expect(new Set(replays.map(({ replayOf }) => replayOf))).toEqual(new Set(failed.map(({ id }) => id)))
    expect((await list({ verdict: 'FAILED' })).every(({ canReplay, replayedAt }) => !canReplay && replayedAt !== null)).toBe(true)
    // The provider has sent nothing meanwhile.
    expect(await readWebhookStatus(ports(), actor)).toEqual([before])
    const entries = await all.audit.read('w1', { limit: 10 })
    expect(entries.map(({ action, target: replayed }) => [action, replayed?.kind])).toEqual(
      Array.from({ length: 3 }, () => ['webhook.replayed', 'webhook']),
    )
    const foreign = { ...actor, principal: testPrincipal({ workspaceId: 'w2' }) }
    await expect(replayWebhook(all, foreign, second)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  })

  test('a replay whose webhook expires meanwhile is audited', async () => {
    const inbox = createWebhookInbox({ outbox, clock, log, webhookLog }, async () => {})
    const webhookInbox: typeof inbox = {
      ...inbox,
      add: async (received, replay) => {
        const isNew = await inbox.add(received, replay)
        clock.advance(webhookLogDays * 86_400_000)
        return isNew
      },
    }
    webhookLog.note(target, { verdict: 'FAILED', reason: 'OVERLOADED', updates: [update('c1')] })
    const [entry] = await waitFor(async () => (await list()).length === 1 && (await list()))
    const all = { ...ports(), webhookInbox }
    expect(await replayWebhook(all, actor, entry?.id ?? '')).toMatchObject({ replayed: 1 })
    expect(await all.audit.read('w1', { limit: 10 })).toMatchObject([{ action: 'webhook.replayed', target: { id: entry?.id } }])
  })

  test('a webhook whose processing is given up fails in the log, and is processed when it is replayed', async () => {
    const processed: string[] = []
    let isBroken = true
    const deadLettered: { workspaceId: string | null; replayable: number }[] = []
    const watched: Outbox = {
      ...outbox,
      moveToDeadLetters: async (delivery, cause) => {
        const replayable = (await store.sortedRange('webhooks-failed:w1', { limit: 9 })).length
        await outbox.moveToDeadLetters(delivery, cause)
        deadLettered.push({ workspaceId: cause.workspaceId, replayable })
      },
    }
    const webhookInbox = createWebhookInbox({ outbox: watched, clock, log, webhookLog }, async (received) => {
      if (isBroken) throw new NonRetryableError('RECORD_REFUSED')
      processed.push(received.update.ucid ?? '')
    })
    webhookInbox.start()
    stack.defer(() => webhookInbox.stop())
    expect(await webhookInbox.add({ ...target, update: update('c9') })).toBe(true)
    expect(await webhookInbox.add({ ...target, update: update('c9') })).toBe(false)
    await waitFor(() => deadLettered.length === 1)
    expect(deadLettered).toEqual([{ workspaceId: 'w1', replayable: 1 }])
    // Nothing has come from the provider since.
    expect(await readWebhookStatus(ports(), actor)).toEqual([])
    const [entry] = await waitFor(async () => (await list()).length === 1 && (await list()))
    expect(entry).toMatchObject({ verdict: 'FAILED', reason: 'RECORD_REFUSED', ucid: 'c9', durationMs: null, canReplay: true })
    isBroken = false
    await replayWebhook({ ...ports(), webhookInbox }, actor, entry?.id ?? '')
    await waitFor(() => processed.length === 1)
  })

  test('a webhook that is given up while its dead letter cannot be stored is neither lost nor listed twice', async () => {
    let tries = 0
    const failsOnce: Outbox = {
      ...outbox,
      moveToDeadLetters: async (delivery, cause) => {
        tries += 1
        if (tries === 1) throw new AppError('STORE_UNAVAILABLE')
        await outbox.moveToDeadLetters(delivery, cause)
      },
    }
    const webhookInbox = createWebhookInbox({ outbox: failsOnce, clock, log, webhookLog }, async () => {
      throw new NonRetryableError('RECORD_REFUSED')
    })
    webhookInbox.start()
    stack.defer(() => webhookInbox.stop())
    await webhookInbox.add({ ...target, update: update('c9') })
    await waitFor(async () => {
      clock.advance(60_000)
      return (await outbox.depth()).deadLetters === 1
    })
    expect([tries, (await list()).map(({ ucid, verdict }) => [ucid, verdict])]).toEqual([2, [['c9', 'FAILED']]])
  })
})
