import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createLanguageModel } from '../../src/providers/models/language-model.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { modelKey, modelName } from '../../src/sandbox/accounts.ts'
import { type ModelStandIn, startModels } from '../../src/sandbox/models/models.ts'
import { createAnswerVisitor } from '../../src/features/widget/answer-visitor.ts'
import type { ReplyPart } from '../../src/features/widget/chat/reply-parts.ts'
import { createTalks } from '../../src/features/widget/chat/conversations.ts'
import { createTalkTurns } from '../../src/features/widget/chat/reply-lease.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

// The use case with a real model's client and a real store; what it takes from the day's tokens is watched.
let models: ModelStandIn
let store: ReturnType<typeof createSqliteStore>
let directory: Awaited<ReturnType<typeof createTempDir>>
let taken: number[]
beforeEach(async () => {
  models = await startModels()
  directory = await createTempDir()
  store = createSqliteStore({ dataDir: directory.path, clock: systemClock })
  taken = []
})
afterEach(async () => {
  await store.close()
  await directory[Symbol.asyncDispose]()
  await models[Symbol.asyncDispose]()
})

function instance() {
  const nowhere = { url: null, apiKey: null }
  const endpoints = {
    openai: nowhere,
    anthropic: nowhere,
    google: nowhere,
    openaiCompatible: { url: `${models.url}/v1`, apiKey: modelKey },
  }
  const choice = { provider: 'openai-compatible', model: modelName, temperature: 0, systemPromptAddendum: '' }
  return createAnswerVisitor({
    talks: createTalks(store),
    turns: createTalkTurns(store),
    languageModelOf: async () => createLanguageModel(choice, endpoints),
    receptionOf: async () => ({ hospitalName: 'Sunrise', timeZone: 'Asia/Kolkata', country: 'IN', bookingEnabled: true }),
    budget: {
      async take(_workspaceId, tokens) {
        taken.push(tokens)
        return async (used) => void taken.push(used - tokens)
      },
    },
    limits: { message: async () => undefined, handOver: async () => undefined },
    readOffer: async () => ({ timeZone: 'Asia/Kolkata', doctors: [], slots: [] }),
    holdSlot: () => Promise.reject(new Error('nothing is held here')),
    passOn: async () => undefined,
    clock: systemClock,
    log: createLog('silent'),
  })
}

const used = (): number => taken.reduce((sum, tokens) => sum + tokens, 0)
type Sent = { readonly id?: string; readonly signal?: AbortSignal }
const visitorWith = (talkId: string, { id = randomUUID(), signal = new AbortController().signal }: Sent = {}) => ({
  workspaceId: 'w',
  widgetKey: 'key',
  clientAddress: '203.0.113.7',
  question: { id: talkId, message: { id, role: 'user', parts: [{ type: 'text', text: 'Hello!' }] } },
  signal,
})

describe('of the tokens that are set aside', () => {
  test('what the model did not use is given back', async () => {
    const parts = await Array.fromAsync(await instance()(visitorWith(randomUUID())))
    expect(parts.at(-1)).toEqual({ type: 'ended' })
    expect(taken[0]).toBeGreaterThan(5_000)
    const { length } = models.calls()[0]?.body ?? ''
    expect(used()).toBeGreaterThan(100)
    expect(used()).toBeLessThan(length / 3)
  })

  test('those of a reply that the visitor did not wait for are used', async () => {
    models.pace({ tokenMs: 50 })
    const leaving = new AbortController()
    for await (const part of await instance()(visitorWith(randomUUID(), { signal: leaving.signal }))) {
      if (part.type === 'text') leaving.abort()
    }
    expect(taken).toHaveLength(2)
    expect(used()).toBeGreaterThan(500)
    expect(used()).toBeLessThan(taken[0] ?? 0)
  })

  test('those of a reply that nobody goes on reading are used', async () => {
    models.pace({ tokenMs: 50 })
    for await (const part of await instance()(visitorWith(randomUUID()))) if (part.type === 'text') break
    expect(taken).toHaveLength(2)
    expect(used()).toBeGreaterThan(500)
    expect(await waitFor(() => models.left())).toBe(1)
  })

  test('none are used where the visitor has left before the model is asked, and the talk is free again', async () => {
    const talkId = randomUUID()
    for await (const part of await instance()(visitorWith(talkId))) if (part.type === 'began') break
    expect(used()).toBe(0)
    expect(models.calls()).toHaveLength(0)
    const other = await Array.fromAsync(await instance()(visitorWith(talkId)))
    expect(other.at(-1)).toEqual({ type: 'ended' })
  })

  test('none are used where the model cannot be reached', async () => {
    models.fault({ act: 'refuse', status: 400 })
    const parts = await Array.fromAsync(await instance()(visitorWith(randomUUID())))
    expect(parts.at(-1)).toMatchObject({ type: 'failed', error: { reason: 'PROVIDER_REFUSED' } })
    expect(used()).toBe(0)
  })
})

describe('two instances and one talk', () => {
  test('another message waits for the reply; the same message takes its place, and only the new reply is kept', async () => {
    const talkId = randomUUID()
    const id = randomUUID()
    models.pace({ tokenMs: 30 })
    const first = (await instance()(visitorWith(talkId, { id })))[Symbol.asyncIterator]()
    await first.next()
    const other = instance()
    await expect(other(visitorWith(talkId))).rejects.toMatchObject({ reason: 'WRONG_STATE', data: { retryAfterSeconds: 2 } })
    models.pace({})
    models.answerNext('The new reply.')
    const second = await Array.fromAsync(await other(visitorWith(talkId, { id })))
    expect(textOf(second)).toBe('The new reply.')
    const rest: ReplyPart[] = []
    for (let part = await first.next(); part.done !== true; part = await first.next()) rest.push(part.value)
    expect(rest.some(({ type }) => type === 'ended' || type === 'failed')).toBe(false)
    const { messages } = await createTalks(store).read({ workspaceId: 'w', widgetKey: 'key', talkId })
    expect(messages).toMatchObject([
      { role: 'user', id },
      { role: 'assistant', complete: true, parts: [{ text: 'The new reply.' }] },
    ])
  })
})

function textOf(parts: readonly ReplyPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
