import { lateStore } from '../harness/late-store.ts'
import { randomUUID } from 'node:crypto'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createModelHabits, type ModelHabits } from '../../src/providers/models/habits.ts'
import { createLanguageModel } from '../../src/providers/models/language-model.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { modelKey, modelName } from '../../src/sandbox/accounts.ts'
import { type ModelStandIn, startModels } from '../../src/sandbox/models/models.ts'
import { answerVisitor, type ChatPorts, type ChatVisitor } from '../../src/features/widget/answer-visitor.ts'
import type { ReplyPart } from '../../src/features/widget/chat/reply-parts.ts'
import { emptyConversation } from '../../src/features/widget/chat/conversation.ts'
import { openConversation, readStoredConversation } from '../../src/features/widget/chat/stored-conversations.ts'
import { createReplyLeases } from '../../src/features/widget/chat/reply-lease.ts'
import { createKeyedMutex } from '../../src/kernel/keyed-mutex.ts'
import { createLimitCounts } from '../../src/features/widget/limit-counts.ts'
import { createVisitorLimits } from '../../src/features/widget/visitor-limits.ts'
import type { Store } from '../../src/ports/store.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

// The use case with a real model client and a real store; records the changes of the day's tokens.
let models: ModelStandIn
let store: ReturnType<typeof createSqliteStore>
let directory: Awaited<ReturnType<typeof createTempDir>>
let taken: number[]
beforeEach(async () => {
  models = await startModels()
  directory = await createTempDir()
  store = lateStore(createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf }))
  taken = []
})
afterEach(async () => {
  await store.close()
  await directory[Symbol.asyncDispose]()
  await models[Symbol.asyncDispose]()
})

const plainHabits: ModelHabits = (...model) => Object.assign(createModelHabits()(...model), { isPlain: true })

function instance(widget: object = {}, changes: Partial<Store> = {}, languageModelOf?: ChatPorts['languageModelOf']) {
  const nowhere = { url: null, apiKey: null }
  const endpoints = {
    openai: nowhere,
    anthropic: nowhere,
    google: nowhere,
    openaiCompatible: { url: `${models.url}/v1`, apiKey: modelKey },
  }
  const choice = { provider: 'openai-compatible', model: modelName, temperature: 0, systemPromptAddendum: '' }
  const log = createLog('silent')
  const notUsed = () => Promise.reject(new Error('not used here'))
  const ports: ChatPorts = {
    clock: systemClock,
    log,
    store: recordingTokens({ ...store, ...changes }),
    configuration: fixedConfiguration({
      widget: { enabled: true, bookingEnabled: true, ...widget },
      theme: { brand: { hospitalName: 'Sunrise' } },
    }),
    languageModelOf: languageModelOf ?? (async () => createLanguageModel(choice, endpoints, plainHabits)),
    doctorDirectory: { read: async () => ({ doctors: [], slots: [] }), invalidate: () => undefined },
    leadRecords: { byId: notUsed, byIds: notUsed, byPhone: notUsed, byPhones: notUsed, wasDeleted: notUsed },
    newLeads: { create: notUsed, withdraw: notUsed },
    leadNotes: { write: notUsed },
    visitorLimits: createVisitorLimits(({ points, seconds }) => new RateLimiterMemory({ points, duration: seconds })),
    replyLeases: createReplyLeases({ store, log }),
    limitCounts: createLimitCounts(),
    holdMutex: createKeyedMutex(),
  }
  return (visitor: ChatVisitor) => answerVisitor(ports, visitor)
}

/** The store, with a record of what the token counter was changed by. */
function recordingTokens(target: Store): Store {
  return new Proxy(target, {
    get(store, name, receiver) {
      const own: unknown = Reflect.get(store, name, receiver)
      if (name !== 'increment') return own
      const increment: Store['increment'] = (key, by, options) => {
        if (key.startsWith('widget-tokens:') && !key.includes(':address.')) taken.push(by)
        return store.increment(key, by, options)
      }
      return increment
    },
  })
}

const used = (): number => taken.reduce((sum, tokens) => sum + tokens, 0)
type Sent = { readonly id?: string; readonly signal?: AbortSignal }
const visitorWith = (conversationId: string, { id = randomUUID(), signal = new AbortController().signal }: Sent = {}) => ({
  workspaceId: 'w',
  widgetKey: 'key',
  clientAddress: '203.0.113.7',
  question: { id: conversationId, message: { id, role: 'user', parts: [{ type: 'text', text: 'Hello!' }] } },
  signal,
})

describe('reserved tokens', () => {
  test('unused tokens are returned', async () => {
    const parts = await Array.fromAsync(await instance()(visitorWith(randomUUID())))
    expect(parts.at(-1)).toEqual({ type: 'ended' })
    expect(taken[0]).toBeGreaterThan(5_000)
    const { length } = models.calls()[0]?.body ?? ''
    expect(used()).toBeGreaterThan(100)
    expect(used()).toBeLessThan(length / 3)
  })

  test('a reply that the visitor does not wait for costs its tokens', async () => {
    models.pace({ tokenMs: 50 })
    const leaving = new AbortController()
    for await (const part of await instance()(visitorWith(randomUUID(), { signal: leaving.signal }))) {
      if (part.type === 'text') leaving.abort()
    }
    expect(taken).toHaveLength(2)
    expect(used()).toBeGreaterThan(500)
    expect(used()).toBeLessThan(taken[0] ?? 0)
  })

  test('a reply that nobody reads to the end costs its tokens', async () => {
    models.pace({ tokenMs: 50 })
    for await (const part of await instance()(visitorWith(randomUUID()))) if (part.type === 'text') break
    expect(taken).toHaveLength(2)
    expect(used()).toBeGreaterThan(500)
    expect(await waitFor(() => models.left())).toBe(1)
  })

  test('a visitor who leaves before the model is asked costs nothing and releases the conversation', async () => {
    const conversationId = randomUUID()
    for await (const part of await instance()(visitorWith(conversationId))) if (part.type === 'began') break
    expect(used()).toBe(0)
    expect(models.calls()).toHaveLength(0)
    const other = await Array.fromAsync(await instance()(visitorWith(conversationId)))
    expect(other.at(-1)).toEqual({ type: 'ended' })
  })

  test('a message that the budget refuses leaves the conversation free', async () => {
    const conversationId = randomUUID()
    const poor = instance({ dailyTokenBudget: 0 })
    for (const _ of [1, 2]) await expect(poor(visitorWith(conversationId))).rejects.toMatchObject({ reason: 'TOO_MANY_TRIES' })
    const parts = await Array.fromAsync(await instance()(visitorWith(conversationId)))
    expect(parts.at(-1)).toEqual({ type: 'ended' })
  })

  test('a message that cannot be stored costs nothing', async () => {
    const unavailable = () => Promise.reject(new AppError('STORE_UNAVAILABLE'))
    const asking = instance({}, { setIfAbsent: unavailable })(visitorWith(randomUUID()))
    await expect(asking).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    expect(taken).toHaveLength(2)
    expect(used()).toBe(0)
    expect(models.calls()).toHaveLength(0)
  })

  test('an unreachable model costs nothing', async () => {
    models.fault({ act: 'refuse', status: 400 })
    const parts = await Array.fromAsync(await instance()(visitorWith(randomUUID())))
    expect(parts.at(-1)).toMatchObject({ type: 'failed', error: { reason: 'PROVIDER_REFUSED' } })
    expect(used()).toBe(0)
  })
})

describe('two instances and one conversation', () => {
  test('another message is rejected during a reply; the same message takes over, and only the new reply is stored', async () => {
    const conversationId = randomUUID()
    const id = randomUUID()
    models.pace({ tokenMs: 30 })
    const first = (await instance()(visitorWith(conversationId, { id })))[Symbol.asyncIterator]()
    await first.next()
    const other = instance()
    await expect(other(visitorWith(conversationId))).rejects.toMatchObject({ reason: 'WRONG_STATE', data: { retryAfterSeconds: 2 } })
    models.pace({})
    models.answerNext('The new reply.')
    const second = await Array.fromAsync(await other(visitorWith(conversationId, { id })))
    expect(textOf(second)).toBe('The new reply.')
    const rest: ReplyPart[] = []
    for (let part = await first.next(); part.done !== true; part = await first.next()) rest.push(part.value)
    expect(rest.some(({ type }) => type === 'ended' || type === 'failed')).toBe(false)
    const { messages } = await readStoredConversation(store, { workspaceId: 'w', widgetKey: 'key', conversationId })
    expect(messages).toMatchObject([
      { role: 'user', id },
      { role: 'assistant', complete: true, parts: [{ text: 'The new reply.' }] },
    ])
  })
})

test('the same message is answered also if its former reply is stored as far as it got in the same moment', async () => {
  const key = { workspaceId: 'w', widgetKey: 'key', conversationId: randomUUID() }
  const id = randomUUID()
  const former = await openConversation(store, key)
  const asked = { ...emptyConversation, messages: [{ role: 'user', id, text: 'Hello!' } as const], asked: 1 }
  await former.save(asked)
  const partial = { role: 'assistant', id: 'former', complete: false, parts: [] } as const
  // The former reply is stored after the conversation was read, and before the new question is.
  const compareAndSet: Store['compareAndSet'] = async (entry, change) => {
    if (entry.startsWith('widget-conversation:')) await former.save({ ...asked, messages: [...asked.messages, partial] })
    return store.compareAndSet(entry, change)
  }
  const parts = await Array.fromAsync(await instance({}, { compareAndSet })(visitorWith(key.conversationId, { id })))
  expect(parts.at(-1)).toEqual({ type: 'ended' })
  const { messages } = await readStoredConversation(store, key)
  expect(messages).toMatchObject([
    { role: 'user', id },
    { role: 'assistant', complete: true },
  ])
  expect(messages).toHaveLength(2)
  expect(used()).toBeLessThan(taken[0] ?? 0)
})

test('a conversation has a hundred questions; who has no model to answer them is told so', async () => {
  const key = { workspaceId: 'w', widgetKey: 'key', conversationId: randomUUID() }
  const open = await openConversation(store, key)
  await open.save({ ...emptyConversation, asked: 99 })
  const parts = await Array.fromAsync(await instance()(visitorWith(key.conversationId)))
  expect(parts.at(-1)).toEqual({ type: 'ended' })
  await expect(instance()(visitorWith(key.conversationId))).rejects.toMatchObject({ reason: 'TOO_MANY_TRIES' })
  const failing = (reason: 'NOT_CONFIGURED' | 'STORE_UNAVAILABLE') =>
    instance({}, {}, () => Promise.reject(new AppError(reason)))(visitorWith(randomUUID()))
  await expect(failing('NOT_CONFIGURED')).rejects.toMatchObject({ reason: 'ASSISTANT_MISSING' })
  await expect(failing('STORE_UNAVAILABLE')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
})

function textOf(parts: readonly ReplyPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
