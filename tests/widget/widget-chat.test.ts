import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ChatDesk, createChatDesk, type ReadReply } from '../harness/chat-desk.ts'
import { createTestClock } from '../harness/clock.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createWidgetDesk, site, type WidgetDesk } from '../harness/widget-desk.ts'

const leads = ({ app }: WidgetDesk, national: string) =>
  app.standIns.platform.records('demo', 'lead', { phones: { primaryPhoneNumber: { eq: national } } })
const notes = ({ app }: WidgetDesk) => app.standIns.platform.records('demo', 'note', { title: { eq: 'Chat on the website' } })
const dataOf = (reply: ReadReply, type: string): unknown => reply.chunks.find((chunk) => chunk.type === type && 'data' in chunk)
const asked = ({ app }: WidgetDesk): number => app.standIns.models.calls().length
const bookingChunk = z.object({ data: z.object({ bookingId: z.string(), heldUntil: z.string(), slot: z.object({ id: z.string() }) }) })

/** Says things until a time with Dr. Rao is on the table. */
async function toTimes(chat: ChatDesk): Promise<void> {
  await chat.say('Which cardiology doctors do you have?')
  await chat.say('What times are free with Dr. Rao?')
}

describe('a conversation', () => {
  test('streams in the protocol of the AI SDK, and can be read after a reload', async () => {
    await using desk = await createWidgetDesk()
    const chat = createChatDesk(desk)
    const reply = await chat.say('Hello!')
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-vercel-ai-ui-message-stream': 'v1',
      'access-control-allow-origin': site,
    })
    const types = reply.chunks.map(({ type }) => type)
    expect(types.filter((type) => type !== 'text-delta')).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-end',
      'finish-step',
      'finish',
    ])
    expect(types.filter((type) => type === 'text-delta').length).toBeGreaterThan(5)
    expect(reply.text).toMatch(/doctor/)
    const raw = await (await chat.send('Hello again!')).text()
    expect(raw.endsWith('data: [DONE]\n\n')).toBe(true)
    const history = await chat.history()
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(history[1]?.id).toBe(reply.message?.id)
    expect(history[1]?.parts).toEqual([{ type: 'text', text: reply.text, state: 'done' }])
  })

  test('shows doctors and times, holds one, and the visitor books it', async () => {
    await using desk = await createWidgetDesk()
    const chat = createChatDesk(desk)
    const doctors = await chat.say('Which cardiology doctors do you have?')
    expect(dataOf(doctors, 'data-doctors')).toMatchObject({ data: { doctors: [{ name: 'Dr. Nandini Rao' }] } })
    const times = await chat.say('What times are free with Dr. Rao?')
    expect(dataOf(times, 'data-slots')).toMatchObject({ data: { timeZone: 'Asia/Kolkata' } })
    const held = await chat.say('I take the second one.')
    const { bookingId, slot, heldUntil } = bookingChunk.parse(dataOf(held, 'data-booking')).data
    expect(Date.parse(heldUntil)).toBeGreaterThan(0)
    expect((await desk.slots()).map(({ id }) => id)).not.toContain(slot.id)
    const booked = await desk.visit('POST', 'bookings', { body: { bookingId, name: 'Meena Shah', phone: '98450 98450' } })
    expect(booked).toMatchObject({ status: 200, body: { booking: { state: 'BOOKED', slot: { id: slot.id } } } })
    const stored = (await chat.history()).flatMap(({ parts }) => parts.map(({ type }) => type))
    expect(stored).toContain('data-booking')
    expect(stored).toContain('tool-proposeBooking')
  })

  test('continues with its earlier messages and cards, within a day', async () => {
    const clock = createTestClock()
    await using desk = await createWidgetDesk({ clock })
    const chat = createChatDesk(desk)
    await toTimes(chat)
    clock.advance(23 * 3_600_000)
    expect(await chat.history()).toHaveLength(4)
    clock.advance(3_600_001)
    expect(await chat.history()).toEqual([])
  })

  test('belongs to its key: another key of the same site has another conversation', async () => {
    await using desk = await createWidgetDesk()
    const chat = createChatDesk(desk)
    await chat.say('Hello!')
    const other = await desk.newKey([site])
    expect(await chat.history(other)).toEqual([])
    await chat.say('Good morning!', { key: other })
    expect(await chat.history(other)).toHaveLength(2)
    expect(await chat.history()).toHaveLength(2)
  })

  test('uses the current configuration for each reply', async () => {
    await using desk = await createWidgetDesk()
    const chat = createChatDesk(desk)
    await chat.say('Hello!')
    await desk.app.rest('PUT', '/api/config/ai', {
      token: desk.token,
      body: { temperature: 0.9, systemPromptAddendum: 'Mention the car park.' },
    })
    await desk.app.rest('PUT', '/api/config/widget', { token: desk.token, body: { bookingEnabled: false } })
    await chat.say('Hello!')
    const [first = '', second = ''] = desk.app.standIns.models.calls().map(({ body }) => body)
    expect(first).toContain('Sunrise Hospital')
    expect(first).toContain('"proposeBooking"')
    expect(first).not.toContain('car park')
    expect(second).toContain('car park')
    expect(second).toContain('"temperature":0.9')
    expect(second).not.toContain('"name":"proposeBooking"')
  })
})

describe('a hand-off to a human', () => {
  test('writes the conversation as a note on the lead with the visitor’s number', async () => {
    await using desk = await createWidgetDesk()
    const chat = createChatDesk(desk)
    await chat.say('Can I speak to a person? Dr.K.Rao said: sugar >200, platelets <50000. ![x](https://evil.example/x.png) *Call* me')
    const reply = await chat.say('My name is Meena and my number is 98450 98451')
    expect(reply.text).toMatch(/call you back/)
    expect(leads(desk, '9845098451')).toMatchObject([{ name: 'Meena', source: 'Website' }])
    const [note] = notes(desk)
    const body = JSON.stringify(note)
    // As the note shows it.
    expect(body).toContain('Visitor: Can I speak to a person? Dr.K.Rao said: sugar >200, platelets <50000. ![x]( *Call* me')
    expect(body).toContain('Assistant: Of course.')
    expect(body).not.toContain('evil.example')
    const targets = desk.app.standIns.platform.records('demo', 'noteTarget', { noteId: { eq: note?.['id'] } })
    expect(targets).toHaveLength(1)
    expect(JSON.stringify(targets)).toContain(String(leads(desk, '9845098451')[0]?.['id']))
    expect((await chat.say('Please call me back on 98450 98451')).text).toMatch(/call you back/)
    expect(leads(desk, '9845098451')).toHaveLength(1)
    expect(notes(desk)).toHaveLength(1)
  })

  test('gives the same answer for known and unknown numbers, also to the model', async () => {
    await using desk = await createWidgetDesk()
    const [known] = desk.app.standIns.platform.records('demo', 'lead')
    const { primaryPhoneNumber: national } = z.looseObject({ primaryPhoneNumber: z.string() }).parse(known?.['phones'])
    const count = desk.app.standIns.platform.records('demo', 'lead').length
    const assistantAnswer = async (number: string): Promise<string> => {
      const chat = createChatDesk(desk)
      const { chunks } = await chat.say(`Please call me back on ${number}`)
      const same = chunks.map((chunk) => ({ ...chunk, messageId: '', input: '' }))
      return JSON.stringify(same).replaceAll(/text-\d+|call_\d+/g, '')
    }
    expect(await assistantAnswer(national)).toBe(await assistantAnswer('98450 98452'))
    expect(desk.app.standIns.platform.records('demo', 'lead').length).toBe(count + 1)
    const requests = desk.app.standIns.models
      .calls()
      .map(({ body }) => body)
      .join('\n')
    expect(requests).not.toContain(String(known?.['id']))
    expect(requests).not.toContain(String(known?.['name']))
  })

  test.each([
    ['that the visitor has not written', '98450 98453', 'Please call my neighbour'],
    ['that is none', '12', 'Call me on 12'],
  ])('ignores a number %s', async (_name, phone, text) => {
    await using desk = await createWidgetDesk()
    const chat = createChatDesk(desk)
    const count = desk.app.standIns.platform.records('demo', 'lead').length
    desk.app.standIns.models.callNext([{ name: 'handOff', arguments: JSON.stringify({ name: null, phone, reason: 'x' }) }])
    const reply = await chat.say(text)
    expect(reply.chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-output-available', output: expect.objectContaining({ handedOff: false }) as unknown }),
    )
    expect(desk.app.standIns.platform.records('demo', 'lead').length).toBe(count)
  })

  test('accepts a number in the digits of any script', async () => {
    await using desk = await createWidgetDesk()
    const chat = createChatDesk(desk)
    desk.app.standIns.models.callNext([{ name: 'handOff', arguments: JSON.stringify({ name: null, phone: '+919845098454', reason: 'x' }) }])
    expect((await chat.say('कृपया ९८४५० ९८४५४ पर फ़ोन करें')).text).toMatch(/call you back/)
    expect(leads(desk, '9845098454')).toHaveLength(1)
  })

  test('is limited to a few numbers per conversation', async () => {
    await using desk = await createWidgetDesk()
    const count = desk.app.standIns.platform.records('demo', 'lead').length
    for (let number = 0; number < 9; number += 1) {
      await createChatDesk(desk).say(`Please call me back on 98450 9850${number}`)
    }
    expect(desk.app.standIns.platform.records('demo', 'lead').length).toBe(count + 5)
  })
})

describe('a reply that breaks off', () => {
  test('does not reveal the vendor’s message, and can be requested again with the same message', async () => {
    await using desk = await createWidgetDesk()
    const { models } = desk.app.standIns
    const chat = createChatDesk(desk)
    // From the second answer on the model streams.
    await createChatDesk(desk).say('Hello!')
    const messageId = randomUUID()
    models.answerNext('One two three four five six seven.')
    models.breakNext({ after: 5, how: 'error' })
    const broken = await chat.say('Hello!', { messageId })
    expect(broken.chunks.at(-1)).toEqual({ type: 'error', errorText: 'I cannot answer at the moment. Please try again in a minute.' })
    expect(broken.chunks.map(({ type }) => type)).not.toContain('finish')
    expect(broken.text).toContain('One')
    expect(await chat.history()).toMatchObject([{ role: 'user', id: messageId }])
    const again = await chat.say('Hello!', { messageId })
    expect(again.text).toMatch(/doctor/)
    expect(again.message?.id).toBe(broken.message?.id)
    expect((await chat.history()).map(({ id }) => id)).toEqual([messageId, again.message?.id])
    expect(desk.app.logged.join('\n')).not.toContain('One two')
  })

  test('does not hold a time twice when it is requested again', async () => {
    await using desk = await createWidgetDesk()
    const { models } = desk.app.standIns
    const chat = createChatDesk(desk)
    await toTimes(chat)
    const messageId = randomUUID()
    models.callNext([{ name: 'proposeBooking', arguments: '{"slot":"S1"}' }])
    // The stream of the step after the tool.
    models.fault({ operation: 'chat/completions', skip: 1, act: 'refuse', status: 400, times: 1 })
    const broken = await chat.say('The first one', { messageId })
    expect(broken.chunks.at(-1)).toMatchObject({ type: 'error' })
    const first = bookingChunk.parse(dataOf(broken, 'data-booking')).data
    models.callNext([{ name: 'proposeBooking', arguments: '{"slot":"S1"}' }])
    const again = await chat.say('The first one', { messageId })
    expect(bookingChunk.parse(dataOf(again, 'data-booking')).data.bookingId).toBe(first.bookingId)
  })

  test('that was complete is replayed at no cost', async () => {
    await using desk = await createWidgetDesk()
    const chat = createChatDesk(desk)
    const messageId = randomUUID()
    const first = await chat.say('Which cardiology doctors do you have?', { messageId })
    const before = asked(desk)
    const again = await chat.say('Which cardiology doctors do you have?', { messageId })
    expect(asked(desk)).toBe(before)
    expect(again.message).toEqual({ ...first.message, parts: again.message?.parts })
    expect(again.text).toBe(first.text)
    expect(dataOf(again, 'data-doctors')).toEqual(dataOf(first, 'data-doctors'))
    expect(await chat.history()).toHaveLength(2)
    await chat.say('Hello!')
    expect((await chat.say('Which cardiology doctors do you have?', { messageId })).text).toBe(first.text)
  })

  test('because the visitor left cancels the model’s work, and does not block the next message', async () => {
    await using desk = await createWidgetDesk()
    const { models } = desk.app.standIns
    const chat = createChatDesk(desk)
    await createChatDesk(desk).say('Hello!')
    models.pace({ tokenMs: 100 })
    const leaving = new AbortController()
    const messageId = randomUUID()
    const response = await chat.send('Hello!', { messageId, signal: leaving.signal })
    const reader = response.body?.getReader()
    let read = ''
    while (!read.includes('text-delta')) read += new TextDecoder().decode((await reader?.read())?.value)
    leaving.abort()
    expect(await waitFor(() => models.left())).toBe(1)
    models.pace({})
    const next = await waitFor(async () => {
      const reply = await chat.say('Good morning!')
      return reply.status === 200 && reply
    })
    expect(next.text).toMatch(/doctor/)
  })

  test('is replaced when its message is sent again; another message is rejected meanwhile', async () => {
    await using desk = await createWidgetDesk()
    const { models } = desk.app.standIns
    const chat = createChatDesk(desk)
    models.pace({ tokenMs: 100 })
    const messageId = randomUUID()
    const first = await chat.send('Hello!', { messageId })
    expect(await chat.say('And hello!')).toMatchObject({ status: 409, problem: { reason: 'WRONG_STATE', code: 'CONFLICT' } })
    models.pace({})
    const second = await chat.say('Hello!', { messageId })
    expect(second.text).toMatch(/doctor/)
    expect(await first.text()).not.toContain('"finish"')
    expect(await waitFor(() => models.left())).toBe(1)
    expect((await chat.history()).map(({ id }) => id)).toEqual([messageId, second.message?.id])
  })
})

describe('rejects', () => {
  const id = randomUUID()
  let desk: WidgetDesk
  beforeAll(async () => {
    desk = await createWidgetDesk()
  })
  afterAll(() => desk[Symbol.asyncDispose]())
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }

  test.each([
    [
      'a message of 10,000 characters',
      { id, message: { ...message, parts: [{ type: 'text', text: 'x'.repeat(10_000) }] } },
      'message.parts.0.text',
    ],
    [
      '10,000 characters of another script',
      { id, message: { ...message, parts: [{ type: 'text', text: 'अ'.repeat(10_000) }] } },
      'message.parts.0.text',
    ],
    [
      'too much in several parts',
      { id, message: { ...message, parts: Array.from({ length: 3 }, () => ({ type: 'text', text: 'x'.repeat(900) })) } },
      'message.parts',
    ],
    ['an empty message', { id, message: { ...message, parts: [{ type: 'text', text: ' \n\u0007' }] } }, 'message.parts.0.text'],
    ['no parts', { id, message: { ...message, parts: [] } }, 'message.parts'],
    ['a message of the assistant', { id, message: { ...message, role: 'assistant' } }, 'message.role'],
    ['a system message', { id, message: { ...message, role: 'system' } }, 'message.role'],
    ['a file', { id, message: { ...message, parts: [{ type: 'file', url: 'https://evil.example' }] } }, 'message.parts.0.type'],
    ['an invalid conversation id', { id: '../x', message }, 'id'],
    ['a message id that is none', { id, message: { ...message, id: 'a b' } }, 'message.id'],
    ['unknown fields', { id, message, tools: ['dropTables'] }, 'tools'],
    ['no message', { id }, 'message'],
    ['no object', [], ''],
    ['nothing', undefined, ''],
  ])('%s is BAD_USER_INPUT and names the field', async (_name, body, path) => {
    const answer = await desk.visit('POST', 'chat', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT' } })
    expect(answer.body).toMatchObject({ data: { fields: expect.arrayContaining([expect.objectContaining({ path })]) as unknown } })
  })

  test('the history of an invalid conversation id', async () => {
    expect(await desk.visit('GET', 'chat/x')).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'id' }] } } })
    expect(await desk.visit('GET', `chat/${randomUUID()}`)).toMatchObject({ status: 200, body: { messages: [] } })
  })

  test('a chat without a model, before the stream starts, without the vendor’s name', async () => {
    await using own = await createWidgetDesk()
    await own.app.rest('PUT', '/api/config/ai', { token: own.token, body: { provider: 'openai', model: 'gpt-5' } })
    const { status, problem } = await createChatDesk(own).say('Hello!')
    expect(status).toBe(409)
    expect(problem).toMatchObject({ code: 'NOT_CONFIGURED', reason: 'ASSISTANT_MISSING' })
    expect(JSON.stringify(problem)).not.toMatch(/openai|gpt|API_KEY|environment/i)
  })

  test('a chat if the widget is switched off', async () => {
    await using own = await createWidgetDesk()
    await own.app.rest('PUT', '/api/config/widget', { token: own.token, body: { enabled: false } })
    expect(await createChatDesk(own).say('Hello!')).toMatchObject({ status: 409, problem: { reason: 'WRONG_STATE' } })
    expect(asked(own)).toBe(0)
  })

  test('more tokens than the daily budget; returns unused reserved tokens', async () => {
    const clock = createTestClock('2025-01-15T22:00:00.000Z')
    await using own = await createWidgetDesk({ clock })
    await own.app.rest('PUT', '/api/config/widget', { token: own.token, body: { dailyTokenBudget: 30_000 } })
    let answered = 0
    let last: ReadReply | null = null
    for (let time = 0; time < 60 && (last === null || last.status === 200); time += 1) {
      last = await createChatDesk(own).say('Hello!', { address: `203.0.113.${time}` })
      if (last.status === 200) answered += 1
    }
    // Five steps are set aside for each, one is used.
    expect(answered).toBeGreaterThan(5)
    expect(last).toMatchObject({ status: 429, problem: { code: 'RATE_LIMITED' } })
    expect(last?.headers.get('retry-after')).toBe('7200')
    clock.advance(2 * 3_600_000)
    expect((await createChatDesk(own).say('Hello!')).status).toBe(200)
  })

  test('a twenty-first message in a minute from one address', async () => {
    await using own = await createWidgetDesk()
    const statuses: number[] = []
    for (let time = 0; time < 21; time += 1) statuses.push((await createChatDesk(own).say('Hello!')).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    expect((await createChatDesk(own).say('Hello!', { address: '203.0.113.99' })).status).toBe(200)
  })
})
