import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type Conversation, type ConversationPart, conversationTool } from '../../src/ports/conversation.ts'
import type { LanguageModel } from '../../src/ports/language-model.ts'
import { waitFor } from '../harness/wait-for.ts'

/** An adapter and the model behind it, whose next answers a test can set. Created for each test. */
export type ConversingModel = AsyncDisposable & {
  readonly model: LanguageModel
  readonly modelName: string
  readonly withWrongKey: LanguageModel
  /** The model's next answers: a text, or the tools that it calls, with their exact input. */
  readonly says: (...answers: readonly (string | readonly { name: string; arguments: string }[])[]) => void
  readonly breaks: (status: number, times?: number) => void
  readonly breaksInTheMiddle: (how: 'error' | 'cut') => void
  readonly waits: (ms: number) => void
  /** The pause between the pieces of an answer. */
  readonly slowsDown: (ms: number) => void
  /** Its next answer is removed by the content filter. */
  readonly filters: () => void
  /** Its next answer refuses, because the account's credit is used up. */
  readonly refusesCredit: () => void
  /** Everything that was sent to the model, as one text each. */
  readonly requests: () => readonly string[]
  /** How many of its answers were not read to their end. */
  readonly left: () => number
}

const seen: unknown[] = []
const tools = {
  listDoctors: conversationTool({
    description: 'Lists doctors by speciality',
    input: z.strictObject({ speciality: z.string().max(40).nullable() }),
    run: async (input) => {
      seen.push(input)
      return { doctors: [{ name: 'Dr. Rao' }] }
    },
  }),
  failing: conversationTool({
    description: 'Never works',
    input: z.strictObject({}),
    run: () => Promise.reject(new RangeError('no such day')),
  }),
}

function conversationWith(change: Partial<Conversation> = {}): Conversation {
  const messages = [{ role: 'user', text: 'Which doctors do you have?' }] as const
  return { instructions: 'You answer visitors.', messages, tools, maxSteps: 4, maxOutputTokens: 200, ...change }
}

async function all(parts: AsyncIterable<ConversationPart>): Promise<readonly ConversationPart[]> {
  return Array.fromAsync(parts)
}

function textOf(parts: readonly ConversationPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** The contract of every conversation adapter. */
export function conversationContract(create: () => Promise<ConversingModel>): void {
  let subject: ConversingModel
  beforeEach(async () => {
    seen.length = 0
    subject = await create()
  })
  afterEach(() => subject[Symbol.asyncDispose]())
  const callDoctors = (input: string) => [{ name: 'listDoctors', arguments: input }]

  test('streams the text, and reports the model and the tokens at the end', async () => {
    subject.says('We have many doctors, and they are all kind.')
    const parts = await all(subject.model.converse(conversationWith()))
    expect(parts.filter(({ type }) => type === 'text').length).toBeGreaterThan(3)
    expect(textOf(parts)).toBe('We have many doctors, and they are all kind.')
    expect(parts.at(-1)).toMatchObject({ type: 'ended', model: subject.modelName, complete: true })
    const [, step, ended] = [parts.at(-3), parts.at(-2), parts.at(-1)]
    if (step?.type !== 'step-ended' || ended?.type !== 'ended') throw new Error('no figures at the end')
    expect(step.tokens).toEqual(ended.tokens)
    expect(ended.tokens.input).toBeGreaterThan(5)
    expect(ended.tokens.output).toBeGreaterThan(5)
  })

  test('the first part arrives long before the last', async () => {
    subject.says('One two three four five six seven eight nine ten.')
    subject.slowsDown(40)
    const startedAt = performance.now()
    let firstAt = 0
    for await (const part of subject.model.converse(conversationWith())) if (part.type === 'text') firstAt ||= performance.now() - startedAt
    expect(performance.now() - startedAt - firstAt).toBeGreaterThan(200)
  })

  test.each([
    ['<think>', '</think>'],
    ['<thinking>', '</thinking>'],
    ['<reasoning>', '</reasoning>'],
    ['[THINK]', '[/THINK]'],
  ])('does not show the thoughts of a model in %s', async (opening, closing) => {
    subject.says(`${opening}\nThe visitor wants <b>doctors</b> [1].\n${closing}\n\nWe have Dr. Rao (fever < 3 days).`)
    const parts = await all(subject.model.converse(conversationWith()))
    expect(textOf(parts).trim()).toBe('We have Dr. Rao (fever < 3 days).')
    expect(parts.at(-1)).toMatchObject({ type: 'ended', complete: true })
  })

  test('names the content filter, and credit that is used up', async () => {
    subject.filters()
    await expect(all(subject.model.converse(conversationWith()))).rejects.toMatchObject({
      reason: 'PROVIDER_REFUSED',
      message: expect.stringContaining('content filter') as unknown,
    })
    subject.refusesCredit()
    await expect(all(subject.model.converse(conversationWith()))).rejects.toMatchObject({
      reason: 'NOT_CONFIGURED',
      message: expect.stringMatching(/credit .* used up/) as unknown,
    })
    expect(subject.requests()).toHaveLength(2)
  })

  test('runs the tool, gives its output to the model, and continues', async () => {
    subject.says(callDoctors('{"speciality":"cardiology"}'), 'Dr. Rao it is.')
    const parts = await all(subject.model.converse(conversationWith()))
    expect(parts.filter(({ type }) => type.startsWith('tool'))).toMatchObject([
      { type: 'tool-called', tool: 'listDoctors', input: { speciality: 'cardiology' } },
      { type: 'tool-answered', tool: 'listDoctors', output: { doctors: [{ name: 'Dr. Rao' }] } },
    ])
    expect(seen).toEqual([{ speciality: 'cardiology' }])
    expect(textOf(parts)).toBe('Dr. Rao it is.')
    expect(subject.requests()).toHaveLength(2)
    expect(subject.requests()[1]).toContain('Dr. Rao')
    const steps = parts.flatMap((part) => (part.type === 'step-ended' ? [part.tokens.input] : []))
    expect(steps).toHaveLength(2)
    expect(parts.at(-1)).toMatchObject({ tokens: { input: (steps[0] ?? 0) + (steps[1] ?? 0) } })
  })

  test("sends the instructions, the admin's addendum and the previous messages and tool outputs", async () => {
    const shown = { type: 'tool', id: 'c1', tool: 'listDoctors', input: { speciality: null }, output: { doctors: ['Dr. Iyer'] } } as const
    const messages = [
      { role: 'user', text: 'Who is there?' },
      { role: 'assistant', parts: [{ type: 'text', text: 'Let me look.' }, shown, { type: 'text', text: 'Dr. Iyer is.' }] },
      { role: 'user', text: 'And who else?' },
    ] as const
    await all(subject.model.converse(conversationWith({ messages })))
    const [sent = ''] = subject.requests()
    const parts = ['You answer visitors.', 'Speak kindly.', 'Who is there?', 'Let me look.', 'Dr. Iyer is.', 'And who else?', 'listDoctors']
    for (const part of parts) expect(sent).toContain(part)
    expect(sent.indexOf('Let me look.')).toBeLessThan(sent.indexOf('Dr. Iyer is.'))
    expect(sent.indexOf('Dr. Iyer is.')).toBeLessThan(sent.indexOf('And who else?'))
  })

  test.each([
    ['a tool that there is not', 'dropTables', '{}'],
    ['input that does not fit', 'listDoctors', JSON.stringify({ speciality: 'x'.repeat(41) })],
    ['more than the tool takes', 'listDoctors', '{"speciality":null,"workspaceId":"other"}'],
    ['input that is no JSON', 'listDoctors', '{"speciality":'],
  ])('does not run %s; the model learns it and continues', async (_name, name, input) => {
    subject.says([{ name, arguments: input }], 'Then not.')
    const parts = await all(subject.model.converse(conversationWith()))
    expect(parts.filter(({ type }) => type.startsWith('tool'))).toMatchObject([{ type: 'tool-refused', tool: name }])
    expect(textOf(parts)).toBe('Then not.')
    expect(seen).toEqual([])
  })

  test('calls the model at most maxSteps times, the last time without tools', async () => {
    subject.says(...Array.from({ length: 50 }, () => callDoctors('{"speciality":null}')))
    const parts = await all(subject.model.converse(conversationWith({ maxSteps: 3 })))
    expect(subject.requests()).toHaveLength(3)
    expect(subject.requests().map((sent) => /"tool_choice":"none"/.test(sent))).toEqual([false, false, true])
    expect(seen.length).toBeLessThanOrEqual(3)
    expect(parts.at(-1)).toMatchObject({ type: 'ended', complete: false })
  })

  test('ends an endless answer, in text and in the input of a tool', async () => {
    const endless = 'word '.repeat(50_000)
    subject.says(endless)
    await expect(all(subject.model.converse(conversationWith()))).rejects.toMatchObject({ reason: 'PROVIDER_ANSWER_INVALID' })
    subject.says(callDoctors(JSON.stringify({ speciality: endless })))
    await expect(all(subject.model.converse(conversationWith()))).rejects.toMatchObject({ reason: 'PROVIDER_ANSWER_INVALID' })
  })

  test('an error of a tool ends the conversation with that error', async () => {
    subject.says([{ name: 'failing', arguments: '{}' }])
    const error: unknown = await all(subject.model.converse(conversationWith())).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'no such day' })
  })

  test('does not repeat a request after a temporary error: the guard of the port does', async () => {
    subject.breaks(503, 1)
    await expect(all(subject.model.converse(conversationWith()))).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
    subject.says('Here I am.')
    expect(textOf(await all(subject.model.converse(conversationWith())))).toBe('Here I am.')
  })

  test('a rejected key is NOT_CONFIGURED; a rejected request is not repeated', async () => {
    await expect(all(subject.withWrongKey.converse(conversationWith()))).rejects.toMatchObject({ reason: 'NOT_CONFIGURED' })
    const before = subject.requests().length
    subject.breaks(400)
    await expect(all(subject.model.converse(conversationWith()))).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
    expect(subject.requests().length - before).toBe(1)
  })

  test.each(['error', 'cut'] as const)(
    'after words already said, %s in the middle is an error that names nothing of the vendor',
    async (how) => {
      subject.says('One two three four five six seven.')
      subject.slowsDown(10)
      subject.breaksInTheMiddle(how)
      const parts: ConversationPart[] = []
      const reading = async (): Promise<void> => {
        for await (const part of subject.model.converse(conversationWith())) parts.push(part)
      }
      const error: unknown = await reading().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ name: 'AppError' })
      expect(String(error)).not.toMatch(/Sorry about that|server_error|socket|terminated/i)
      expect(textOf(parts)).toContain('One')
      expect(parts.some(({ type }) => type === 'ended')).toBe(false)
    },
  )

  test('ends at the deadline', async () => {
    subject.waits(5_000)
    await expect(all(subject.model.converse(conversationWith({ deadlineMs: 100 })))).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  })

  test('aborting cancels the work of the model, without an error', async () => {
    const leaving = new AbortController()
    subject.says('One two three four five six seven eight nine ten.')
    subject.slowsDown(50)
    const parts: ConversationPart[] = []
    for await (const part of subject.model.converse(conversationWith({ signal: leaving.signal }))) {
      parts.push(part)
      if (part.type === 'text') leaving.abort()
    }
    expect(parts.at(-1)?.type).not.toBe('ended')
    expect(await waitFor(() => subject.left())).toBe(1)
  })

  test('a reader that stops cancels it too', async () => {
    subject.says('One two three four five six seven eight nine ten.')
    subject.slowsDown(50)
    for await (const part of subject.model.converse(conversationWith())) if (part.type === 'text') break
    expect(await waitFor(() => subject.left())).toBe(1)
  })

  test('sends no request before the first read', async () => {
    subject.model.converse(conversationWith())
    await delay(50)
    expect(subject.requests()).toEqual([])
  })
}
