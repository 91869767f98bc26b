import { wrapLanguageModel } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createModelHabits, type ModelHabits } from '../../src/providers/models/habits.ts'
import { holdBegunThoughts } from '../../src/providers/models/hold-thoughts.ts'
import { createLanguageModel } from '../../src/providers/models/language-model.ts'
import { type ModelEndpoints, modelVendors } from '../../src/providers/models/vendors.ts'
import { modelKey, modelName } from '../../src/sandbox/accounts.ts'
import { type ModelStandIn, startModels } from '../../src/sandbox/models/models.ts'
import { conversationContract } from '../contracts/conversation.ts'
import { languageModelContract } from '../contracts/language-model.ts'

const nowhere = { url: null, apiKey: null }
const choice = { model: modelName, temperature: 0.2, systemPromptAddendum: 'Speak kindly.' }

function endpointsAt(models: ModelStandIn, apiKey = modelKey): ModelEndpoints {
  const endpoint = { url: `${models.url}/v1`, apiKey }
  return { openai: endpoint, openaiCompatible: endpoint, anthropic: nowhere, google: nowhere }
}

describe.each(['openai', 'openai-compatible'])('%s', (provider) => {
  languageModelContract(async () => {
    const models = await startModels()
    let now = 1
    const habits = createModelHabits(() => now)
    return {
      model: createLanguageModel({ ...choice, provider }, endpointsAt(models), habits),
      modelName,
      withWrongKey: createLanguageModel({ ...choice, provider }, endpointsAt(models, 'wrong')),
      withUnknownModel: createLanguageModel({ ...choice, provider, model: 'no-such-model' }, endpointsAt(models)),
      says: (...answers) => answers.forEach((answer) => models.answerNext(answer)),
      breaks: (status, times) => models.fault({ act: 'refuse', status, ...(times === undefined ? {} : { times }) }),
      ends: (reason) => models.endNext({ reason }),
      refuses: (as) => models.refuseNext({ as }),
      takes: (forms) => models.takeForms(forms),
      waits: (hours) => void (now += hours * 3_600_000),
      hangs: () => models.fault({ act: 'hang' }),
      requests: () => models.calls().map(({ body }) => JSON.stringify(JSON.parse(body)).replaceAll('\\"', '"')),
      [Symbol.asyncDispose]: () => models[Symbol.asyncDispose](),
    }
  })
})

describe.each(['openai', 'openai-compatible'])('%s converses', (provider) => {
  conversationContract(async () => {
    const models = await startModels()
    const plain: ModelHabits = (...model) => Object.assign(createModelHabits()(...model), { isPlain: true })
    return {
      model: createLanguageModel({ ...choice, provider }, endpointsAt(models), plain),
      modelName,
      withWrongKey: createLanguageModel({ ...choice, provider }, endpointsAt(models, 'wrong')),
      says: (...answers) =>
        answers.forEach((answer) => (typeof answer === 'string' ? models.answerNext(answer) : models.callNext([...answer]))),
      breaks: (status, times) => models.fault({ act: 'refuse', status, ...(times === undefined ? {} : { times }) }),
      filters: () => models.endNext({ reason: 'content_filter' }),
      refusesCredit: () => models.refuseNext({ as: 'quota' }),
      breaksInTheMiddle: (how) => models.breakNext({ after: 7, how }),
      waits: (ms) => models.pace({ ms }),
      slowsDown: (tokenMs) => models.pace({ tokenMs }),
      requests: () => models.calls().map(({ body }) => body),
      left: () => models.left(),
      [Symbol.asyncDispose]: () => models[Symbol.asyncDispose](),
    }
  })
})

describe('thoughts that the server began, so that only their end is in the text', () => {
  const answer = 'We have Dr. Rao (fever < 3 days).'
  const talk = async (run: (reply: (says: string) => Promise<readonly string[]>, models: ModelStandIn) => Promise<void>) => {
    await using models = await startModels()
    const model = createLanguageModel({ ...choice, provider: 'openai-compatible' }, endpointsAt(models))
    const conversation = {
      instructions: 'x',
      messages: [{ role: 'user', text: 'Who?' }] as const,
      tools: {},
      maxSteps: 1,
      maxOutputTokens: 99,
    }
    await run(async (says) => {
      models.answerNext(says)
      return (await Array.fromAsync(model.converse(conversation))).flatMap((part) => (part.type === 'text' ? [part.text] : []))
    }, models)
  }

  test.each(['</think>', '</thinking>', '</thought>', '</THINK>', '[/THINK]', '◁/think▷'])(
    'are not shown before %s; the answer streams from there',
    (end) =>
      talk(async (reply) => {
        for (const says of [`He asks.${end}${answer}`, `He asks (< 3).\n ${end}\n\n${answer}`, `${end}${answer}`]) {
          const texts = await reply(says)
          expect(texts.join('').trim()).toBe(answer)
          expect(texts.length).toBeGreaterThan(3)
        }
      }),
  )

  test('are not shown if they do not end', () =>
    talk(async (reply, models) => {
      models.endNext({ reason: 'length' })
      expect(await reply('He asks for doctors. I should look which')).toEqual([])
    }))

  const finish = (unified: 'stop' | 'other', raw: string) => ({
    type: 'finish' as const,
    finishReason: { unified, raw },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  })
  const said = [
    { type: 'text-start', id: 't' } as const,
    { type: 'text-delta', id: 't', delta: answer } as const,
    { type: 'text-end', id: 't' } as const,
  ]
  const called = { type: 'tool-call', toolCallId: 'c1', toolName: 'doctors', input: '{}' } as const

  test.each([
    ['an answer whose server has a word of its own for its end is shown', [finish('other', 'eos_token')], answer],
    ['what comes before a tool is not, whatever the server calls the end', [called, finish('stop', 'stop')], ''],
  ])('%s', async (_, end, shown) => {
    const model = new MockLanguageModelV4({ doStream: { stream: simulateReadableStream({ chunks: [...said, ...end] }) } })
    const vendor = modelVendors.find(({ mayBeginThoughts }) => mayBeginThoughts) ?? modelVendors[0]
    const middleware = holdBegunThoughts(createModelHabits()(vendor, '', modelName))
    const { stream } = await wrapLanguageModel({ model, middleware }).doStream({ prompt: [] })
    const parts = await Array.fromAsync(stream)
    expect(parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')).toBe(shown)
    expect(parts.filter(({ type }) => !type.startsWith('text'))).toEqual(end)
  })

  test('are shown at most once after a plain answer, if another model has taken its place', () =>
    talk(async (reply) => {
      expect((await reply(answer)).join('')).toBe(answer)
      await reply(`He asks.</think>${answer}`)
      expect((await reply(`He asks.</think>${answer}`)).join('')).toBe(answer)
      expect((await reply(answer)).join('')).toBe(answer)
    }))
})

describe('the choice of a model', () => {
  const nothing: ModelEndpoints = { openai: nowhere, anthropic: nowhere, google: nowhere, openaiCompatible: nowhere }

  test.each([
    ['openai', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['google', 'GOOGLE_API_KEY'],
    ['openai-compatible', 'OPENAI_COMPATIBLE_URL'],
  ])('%s without %s is NOT_CONFIGURED, and the detail names the setting', (provider, setting) => {
    expect(() => createLanguageModel({ ...choice, provider }, nothing)).toThrow(new RegExp(`: set ${setting} in the environment`))
  })

  test('no model, or an unknown provider, is NOT_CONFIGURED', () => {
    expect(() => createLanguageModel({ ...choice, provider: 'openai', model: null }, nothing)).toThrow(
      /set "model" in the AI configuration/,
    )
    expect(() => createLanguageModel({ ...choice, provider: 'nobody' }, nothing)).toThrow(/"nobody" is not known/)
  })

  test('reaches every vendor at the address and with the key from the environment', async () => {
    await using models = await startModels()
    const endpoint = { url: `${models.url}/v1`, apiKey: 'the-key' }
    const endpoints = { openai: endpoint, anthropic: endpoint, google: endpoint, openaiCompatible: endpoint }
    for (const { id } of modelVendors) {
      const model = createLanguageModel({ ...choice, provider: id }, endpoints)
      const asked = model.structured({ instructions: 'x', prompt: 'y', schema: z.object({ answer: z.string() }) })
      await expect(asked).rejects.toMatchObject({ reason: 'NOT_CONFIGURED' })
    }
    const seen = models
      .calls()
      .map(({ path, headers }) => [path, headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key']])
    expect(seen).toEqual([
      ['/v1/responses', 'Bearer the-key'],
      ['/v1/messages', 'the-key'],
      [`/v1/models/${modelName}:generateContent`, 'the-key'],
      ['/v1/chat/completions', 'Bearer the-key'],
    ])
  })

  test('sends the temperature', async () => {
    await using models = await startModels()
    const model = createLanguageModel({ ...choice, provider: 'openai', temperature: 0.7 }, endpointsAt(models))
    await model.structured({ instructions: 'x', prompt: 'y', schema: z.object({ answer: z.string() }) })
    expect(JSON.parse(models.calls()[0]?.body ?? '')).toMatchObject({ temperature: 0.7, store: false })
  })
})
