import { setImmediate as nextRound } from 'node:timers/promises'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type Breakers, createBreakers } from '../../src/kernel/breakers.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { ConversationPart } from '../../src/ports/conversation.ts'
import type { UpstreamCall } from '../../src/ports/figures.ts'
import type { LanguageModel } from '../../src/ports/language-model.ts'
import type { Telephony } from '../../src/ports/telephony.ts'
import { guardPorts } from '../../src/providers/guarded-ports.ts'
import { createLanguageModel } from '../../src/providers/models/language-model.ts'
import { createOutboundTelephony } from '../../src/providers/telephony/registry.ts'
import { createPortGuard } from '../../src/providers/port-guard.ts'
import { modelKey, modelName, outboundAccounts } from '../../src/sandbox/accounts.ts'
import { startModels } from '../../src/sandbox/models/models.ts'
import { startOutboundTelephony } from '../../src/sandbox/outbound/outbound.ts'
import { checkUpstreams } from '../../src/server/operations/health-checks.ts'
import { waitFor } from '../harness/wait-for.ts'

// Which calls of a provider say that it does not work.
let at = 1
let seen: UpstreamCall[] = []
beforeEach(() => void (seen = []))
const guarded = (breakers = createBreakers(pino({ level: 'silent' }))) => {
  const rules = { now: () => at }
  return guardPorts(
    createPortGuard({ log: pino({ level: 'silent' }), breakers, observe: (call) => seen.push(call), retryAfterMs: 1, rules }),
  )
}
const results = (): readonly string[] => seen.map(({ operation, result }) => `${operation} ${result}`)

const { sid, key, token, callerId } = outboundAccounts.demo
const call = { agentPhoneNumber: '+919800000001', phoneNumber: '+919876543210', recorded: false, statusWebhookUrl: null, reference: '' }
async function openOutbound() {
  const provider = await startOutboundTelephony()
  const settings = { id: 'exotel', url: provider.url, account: sid, apiKey: key, apiToken: token, callerId }
  const outbound = guarded().outbound(createOutboundTelephony(settings, { defaultCountry: 'IN' }), { workspaceId: 'w', provider: settings })
  return { provider, outbound, url: `${provider.url}/audio.mp3`, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() }
}

test('recordings that a client cancels pause nothing, and are not measured', async () => {
  await using house = await openOutbound()
  house.provider.fault({ act: 'hang' })
  for (let time = 0; time < 6; time += 1) {
    const leaving = new AbortController()
    const asked = house.outbound.recording({ url: house.url, signal: leaving.signal })
    leaving.abort()
    await expect(asked).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  }
  house.provider.clearFaults()
  await house.outbound.dial(call)
  expect(results()).toEqual(['dial OK'])
})

test('recordings that do not come pause recordings, not calls', async () => {
  await using house = await openOutbound()
  house.provider.fault({ act: 'refuse', status: 503 })
  for (let time = 0; time < 6; time += 1)
    await expect(house.outbound.recording({ url: house.url })).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  await expect(house.outbound.recording({ url: house.url })).rejects.toMatchObject({ data: { party: 'recordings' } })
  house.provider.clearFaults()
  await house.outbound.dial(call)
})

test('calls that were never sent are not measured', async () => {
  await using house = await openOutbound()
  house.provider.fault({ act: 'refuse', status: 503 })
  for (let time = 0; time < 20; time += 1) await expect(house.outbound.dial(call)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(house.provider.calls('connect.json')).toHaveLength(5)
  expect(results()).toEqual(Array.from({ length: 5 }, () => 'dial PROVIDER_UNAVAILABLE'))
})

test('three slow dials of 4 s do not refuse the fourth, a stall of 4.5 s does', async () => {
  const telephony: Pick<Telephony, 'dial' | 'capabilities'> = { capabilities: new Set(), dial: () => new Promise(() => {}) }
  const unused = async (): Promise<never> => Promise.reject(new Error('not used'))
  const methods = ['signIn', 'signOut', 'setState', 'control', 'pauseRecording', 'recordDisposition', 'missedCalls'] as const
  const others = Object.fromEntries([...methods, 'callRecordPage', 'callRecord', 'subscribe'].map((name) => [name, unused]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `dial` is used
  const port = guarded().telephony({ ...others, ...telephony } as Telephony, { workspaceId: 'w', provider: null })
  const dialling: Promise<unknown>[] = []
  const dial = (): void => void dialling.push(port.dial({ agentId: 'a', phoneNumber: '+919876543210', campaignName: 'c' }))
  for (let agent = 0; agent < 3; agent += 1) dial()
  at += 4_000
  dial()
  at += 500
  await expect(port.dial({ agentId: 'a', phoneNumber: '+919876543210', campaignName: 'c' })).rejects.toMatchObject({
    data: { party: 'telephony' },
  })
  expect(dialling).toHaveLength(4)
})

const question = { instructions: 'Fill the form.', prompt: 'Is it?', schema: z.object({ is: z.boolean() }) }
const conversation = {
  instructions: 'Talk.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: {},
  maxSteps: 2,
  maxOutputTokens: 100,
} as const

/** One model for everybody, on a socket. */
async function openModel(breakers?: Breakers) {
  const models = await startModels()
  const endpoint = { url: `${models.url}/v1`, apiKey: modelKey }
  const nowhere = { url: null, apiKey: null }
  const choice = { provider: 'openai', model: modelName, temperature: 0, systemPromptAddendum: '' }
  const endpoints = { openai: endpoint, openaiCompatible: endpoint, anthropic: nowhere, google: nowhere }
  const model = guarded(breakers).languageModel(createLanguageModel(choice, endpoints), { ...choice, url: endpoint.url })
  await model.prepare()
  return { models, model, [Symbol.asyncDispose]: () => models[Symbol.asyncDispose]() }
}

test('a model that takes longer than one feature waits for stays available to the others', async () => {
  await using house = await openModel()
  house.models.fault({ act: 'hang' })
  for (let time = 1; time <= 6; time += 1) {
    const deadline = new AbortController()
    const asked = house.model.structured({ ...question, signal: deadline.signal }).catch((error: unknown) => error)
    await waitFor(() => house.models.calls().length === time)
    deadline.abort(new DOMException('It took too long', 'TimeoutError'))
    expect(await asked).toMatchObject({ reason: 'DEADLINE_PASSED' })
  }
  house.models.clearFaults()
  // Not the next planned answer: a request that was aborted on its way may take that one.
  expect((await house.model.structured(question)).output.is).toBeTypeOf('boolean')
  expect(results()).toEqual(['structured OK'])
})

test('a model that does not meet its own deadline has failed', async () => {
  await using house = await openModel()
  house.models.fault({ act: 'hang' })
  for (let time = 0; time < 5; time += 1)
    await expect(house.model.structured({ ...question, deadlineMs: 20 })).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  await expect(house.model.structured(question)).rejects.toMatchObject({ data: { party: 'language-model' } })
})

test('answers that fit no form are answers of the model', async () => {
  await using house = await openModel()
  for (let time = 0; time < 6; time += 1) {
    for (const prose of ['It is so.', 'It is so!']) house.models.answerNext(prose)
    await expect(house.model.structured(question)).rejects.toMatchObject({ reason: 'PROVIDER_ANSWER_INVALID' })
  }
  house.models.answerNext({ is: true })
  expect((await house.model.structured(question)).output).toEqual({ is: true })
})

test('a model that is away at its second question is not asked the first one again', async () => {
  await using house = await openModel()
  house.models.answerNext('It is so.')
  house.models.fault({ act: 'refuse', status: 503, skip: 1 })
  await expect(house.model.structured(question)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(house.models.calls()).toHaveLength(2)
})

test('a model whose credit is used up is not paused: /health names it until it answers', async () => {
  const breakers = createBreakers(pino({ level: 'silent' }))
  await using house = await openModel(breakers)
  house.models.refuseNext({ as: 'quota', times: 6 })
  for (let time = 0; time < 6; time += 1) await expect(house.model.structured(question)).rejects.toMatchObject({ reason: 'NOT_CONFIGURED' })
  expect(house.models.calls()).toHaveLength(6)
  const problem = 'The language model refuses all requests, because the credit of its account is used up: top it up'
  expect(checkUpstreams(breakers)).toMatchObject({ problem })
  house.models.fault({ act: 'refuse', status: 400, times: 1 })
  await expect(house.model.structured(question)).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  expect(checkUpstreams(breakers)).toMatchObject({ problem })
  await Array.fromAsync(house.model.converse(conversation))
  expect(checkUpstreams(breakers)).toMatchObject({ problem: null })
})

test.each([
  [401, 'it does not take the key: correct it'],
  [403, 'it does not take the key: correct it'],
  [404, 'it does not know the chosen model: choose another'],
  [402, 'the credit of its account is used up: top it up'],
] as const)('a model that has answered, and then answers %i, does not work in /health until it answers again', async (status, why) => {
  const breakers = createBreakers(pino({ level: 'silent' }))
  await using house = await openModel(breakers)
  await house.model.structured(question)
  expect(checkUpstreams(breakers)).toMatchObject({ problem: null, detail: [{ party: 'language-model', works: true }] })
  house.models.fault({ act: 'refuse', status, times: 1 })
  at += 5_000
  await expect(Array.fromAsync(house.model.converse(conversation))).rejects.toMatchObject({ reason: 'NOT_CONFIGURED' })
  at += 1_000
  expect(checkUpstreams(breakers)).toEqual({
    problem: `The language model refuses all requests, because ${why}`,
    detail: [{ party: 'language-model', works: false, seconds: 1 }],
  })
  await house.model.structured(question)
  expect(checkUpstreams(breakers)).toEqual({ problem: null, detail: [{ party: 'language-model', works: true, seconds: 0 }] })
})

test('a visitor who leaves before the first word neither forgives a model its failures nor adds one', async () => {
  await using house = await openModel()
  const fail = async (): Promise<void> => {
    await expect(house.model.structured({ ...question, deadlineMs: 20 })).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  }
  house.models.fault({ act: 'hang' })
  for (let time = 0; time < 4; time += 1) await fail()
  const leaving = new AbortController()
  const asked = house.models.calls().length
  const reading = Array.fromAsync(house.model.converse({ ...conversation, signal: leaving.signal }))
  await waitFor(() => house.models.calls().length > asked)
  leaving.abort()
  const parts: readonly ConversationPart[] = await reading
  expect(parts).toEqual([])
  expect(results()).not.toContain('converse OK')
  await fail()
  await expect(house.model.structured(question)).rejects.toMatchObject({ data: { party: 'language-model' } })
})

test('a visitor who leaves after the first word has had an answer', async () => {
  const leaving = new AbortController()
  const model: Pick<LanguageModel, 'converse'> = {
    async *converse() {
      yield { type: 'text', text: 'Hello' }
      await nextRound()
      if (leaving.signal.aborted) return
      throw new AppError('PROVIDER_UNAVAILABLE')
    },
  }
  const unused = { structured: () => Promise.reject(new Error('not used')), prepare: async () => undefined }
  const choice = { provider: 'x', model: 'm', url: 'http://127.0.0.1:9' }
  const parts = guarded()
    .languageModel({ ...unused, ...model }, choice)
    .converse({ ...conversation, signal: leaving.signal })
  for await (const part of parts) if (part.type === 'text') leaving.abort()
  expect(results()).toEqual(['converse OK'])
})
