import { APICallError, RetryError } from 'ai'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { isCreditUsedUp, Refusal } from '../../src/kernel/refusal.ts'
import { modelVendors } from '../../src/providers/models/vendors.ts'
import { modelError } from '../../src/providers/models/errors.ts'
import { refusalOf as exotelRefusal } from '../../src/providers/telephony/exotel/answers.ts'
import { readStatus } from '../../src/providers/telephony/exotel/status.ts'
import { isAboutSummary, refusalOf as deepgramRefusal } from '../../src/providers/speech/deepgram/refusals.ts'
import { openSpeech } from '../../src/providers/speech/registry.ts'

const answer = (status: number, body: unknown = {}, retryAfterSeconds: number | null = null) => ({
  status,
  retryAfterSeconds,
  text: typeof body === 'string' ? body : JSON.stringify(body),
})

describe('a refusal of the outbound telephony provider', () => {
  test.each([
    [429, {}, { reason: 'PROVIDER_UNAVAILABLE', data: { retryAfterSeconds: 60 } }],
    [500, {}, { reason: 'PROVIDER_UNAVAILABLE', data: undefined }],
    [499, {}, { reason: 'PROVIDER_REFUSED' }],
    [401, {}, { reason: 'PROVIDER_REFUSED', message: expect.stringContaining('SID') as unknown, cause: { accountFault: 'key' } }],
    [403, {}, { reason: 'PROVIDER_REFUSED', message: expect.stringContaining('SID') as unknown, cause: { accountFault: 'key' } }],
    [
      403,
      { RestException: { Message: 'Call to 09800000000 can not be made because of TRAI NDNC regulations' } },
      { reason: 'INVALID_INPUT', data: { fields: [{ path: 'phoneNumber' }] }, cause: { accountFault: null } },
    ],
    [404, {}, { reason: 'NOT_FOUND' }],
    [416, {}, { reason: 'INVALID_INPUT', data: { fields: [{ path: 'range' }] } }],
    [400, { RestException: { Message: 'Invalid number' } }, { reason: 'INVALID_INPUT', data: { fields: [{ path: 'phoneNumber' }] } }],
    [400, { RestException: { Message: 'Something else' } }, { reason: 'PROVIDER_REFUSED' }],
    [422, { RestException: { Message: 'Invalid number' } }, { reason: 'PROVIDER_REFUSED' }],
  ])('with status %i and %j', (status, body, error) => expect(exotelRefusal(answer(status, body))).toMatchObject(error))

  test('has its codes for the log', () => {
    const { cause } = exotelRefusal(answer(400, { RestException: { Code: 34_001 } }))
    expect(cause).toMatchObject({ provider: 'exotel', code: 'HTTP_400', subCode: '34001' })
    expect(exotelRefusal(answer(400, '<html>')).cause).toMatchObject({ subCode: null })
    expect(exotelRefusal(answer(429, {}, 7)).data).toEqual({ retryAfterSeconds: 7 })
  })
})

describe('a status of the outbound telephony provider', () => {
  const read = (changes: object) =>
    readStatus(JSON.stringify({ CallSid: 'c', EventType: 'terminal', Status: 'completed', ...changes }), 'application/json', 'IN')[0]
  const leg = (Status: string, OnCallDuration: unknown) => ({ Status, OnCallDuration })

  test.each([
    ['customer who talked', { Legs: [leg('completed', 9), leg('', 1)] }, { answered: true, talkSeconds: 1 }],
    ['customer who did not', { Legs: [leg('completed', 9), leg('', 0)] }, { answered: false, talkSeconds: 0 }],
    ['conversation', { ConversationDuration: 1 }, { answered: true, talkSeconds: 1 }],
    ['conversation of no length', { ConversationDuration: 0 }, { answered: false }],
    ['conversation of a day', { ConversationDuration: 86_400 }, { answered: true, talkSeconds: 86_400 }],
    ['conversation of more than a day', { ConversationDuration: 86_401 }, { answered: null, talkSeconds: null }],
    ['conversation of an odd length', { ConversationDuration: 'x' }, { answered: null, talkSeconds: null }],
    ['call without a list of legs', { Legs: 'none', ConversationDuration: 5 }, { answered: true, talkSeconds: 5 }],
  ])('of a %s', (_, changes, facts) => expect(read(changes)).toMatchObject({ facts }))

  test('has the moments of a conversation only if there was one', () => {
    const moments = { EndTime: '2025-01-14 22:03:00', RecordingUrl: 'https://x.example/a.mp3' }
    expect(read({ ...moments, ConversationDuration: 60 })).toMatchObject({
      facts: { answeredAt: '2025-01-14T16:32:00.000Z', endedAt: '2025-01-14T16:33:00.000Z', recordingUrl: 'https://x.example/a.mp3' },
    })
    const none = read({ ...moments, ConversationDuration: 0 })
    expect(none).toMatchObject({ facts: { answeredAt: null, endedAt: '2025-01-14T16:33:00.000Z', recordingUrl: null } })
  })
})

describe('a refusal of the speech provider', () => {
  test.each([
    [400, { err_code: 'REMOTE_CONTENT_ERROR' }, { reason: 'NOT_FOUND', data: { retryAfterSeconds: 60 } }],
    [401, {}, { reason: 'NOT_CONFIGURED' }],
    [403, {}, { reason: 'NOT_CONFIGURED' }],
    [402, {}, { reason: 'NOT_CONFIGURED', message: expect.stringContaining('credit') as unknown, cause: { accountFault: 'credit' } }],
    [408, {}, { reason: 'DEADLINE_PASSED' }],
    [429, {}, { reason: 'PROVIDER_UNAVAILABLE', data: { retryAfterSeconds: 2 } }],
    [499, {}, { reason: 'PROVIDER_REFUSED' }],
    [500, {}, { reason: 'PROVIDER_UNAVAILABLE', data: undefined }],
    [504, {}, { reason: 'DEADLINE_PASSED' }],
    [400, { err_msg: 'corrupt' }, { reason: 'INVALID_INPUT' }],
    [400, { message: 'no media' }, { reason: 'INVALID_INPUT' }],
    [422, { message: 'no media' }, { reason: 'PROVIDER_REFUSED' }],
    [400, '<html>', { reason: 'PROVIDER_REFUSED' }],
  ])('with status %i and %j', (status, body, error) => expect(deepgramRefusal(answer(status, body))).toMatchObject(error))

  test('has its code, or else its category, for the log', () => {
    expect(deepgramRefusal(answer(422, { err_code: 'A', category: 'B' })).cause).toMatchObject({ subCode: 'A' })
    expect(deepgramRefusal(answer(422, { category: 'B' })).cause).toMatchObject({ subCode: 'B' })
    expect(deepgramRefusal(answer(422)).cause).toMatchObject({ code: 'HTTP_422', subCode: null })
  })

  test('can be about the summary', () => {
    expect([answer(400, 'Summarization ...'), answer(422, 'Summarization ...'), answer(400, 'x')].map(isAboutSummary)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('is of an account, which is an address and a key', () => {
    const accounts = [
      { url: 'https://a.example', apiKey: '1' },
      { url: 'https://a.example', apiKey: '2' },
      { url: 'https://b.example', apiKey: '1' },
    ].map((settings) => openSpeech(settings)?.account)
    expect(new Set(accounts).size).toBe(3)
    expect(openSpeech({ url: 'https://a.example', apiKey: null })).toBeNull()
  })
})

describe('an error of a language model', () => {
  const [vendor] = modelVendors
  const asked = { model: 'm', signal: new AbortController().signal }
  const errorOf = (error: unknown, signal = asked.signal) => modelError(error, { ...asked, vendor, signal })
  const call = (
    statusCode: number | undefined,
    changes: { data?: unknown; responseBody?: string; responseHeaders?: Record<string, string> } = {},
  ) => new APICallError({ message: 'm', url: 'u', requestBodyValues: {}, ...(statusCode !== undefined && { statusCode }), ...changes })

  test.each([
    [401, 'NOT_CONFIGURED'],
    [403, 'NOT_CONFIGURED'],
    [404, 'NOT_CONFIGURED'],
    [408, 'PROVIDER_UNAVAILABLE'],
    [undefined, 'PROVIDER_UNAVAILABLE'],
    [500, 'PROVIDER_UNAVAILABLE'],
    [499, 'PROVIDER_REFUSED'],
    [400, 'PROVIDER_REFUSED'],
    [399, 'PROVIDER_ANSWER_INVALID'],
  ])('with status %j is %s', (status, reason) => {
    expect(errorOf(call(status))).toMatchObject({ reason, data: undefined })
    expect(errorOf(new RetryError({ message: 'm', reason: 'maxRetriesExceeded', errors: [call(status)] })).reason).toBe(reason)
  })

  test('says how long to wait', () => {
    expect(errorOf(call(429)).data).toEqual({ retryAfterSeconds: 30 })
    expect(errorOf(call(429, { responseHeaders: { 'retry-after': '7' } })).data).toEqual({ retryAfterSeconds: 7 })
  })

  test('names what to check', () => {
    expect(errorOf(call(401)).message).toContain('OPENAI_API_KEY')
    expect(errorOf(call(404)).message).toContain('"m"')
  })

  test.each([
    [{ code: 'c', type: 't', status: 's' }, 'c'],
    [{ code: 7, type: 't', status: 's' }, 't'],
    [{ code: null, type: 7, status: 's' }, 's'],
    [{ status: 7 }, null],
    [{ code: 'c', status: 7 }, 'c'],
    [{ code: 'c', type: 7 }, 'c'],
  ])('has the code of %j', (error, subCode) => {
    const { cause } = errorOf(call(400, { data: { error } }))
    expect(cause).toBeInstanceOf(Refusal)
    expect(cause).toMatchObject({ provider: 'openai', code: 'HTTP_400', subCode })
  })

  test('is a deadline if the request was aborted, and stays what it is if it is ours', () => {
    const own = new AppError('NOT_FOUND')
    expect(errorOf(own)).toBe(own)
    expect(errorOf(call(500), AbortSignal.abort()).reason).toBe('DEADLINE_PASSED')
    expect(errorOf(new Error('odd')).reason).toBe('PROVIDER_ANSWER_INVALID')
  })

  test.each([
    [402, {}],
    [429, { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } }],
    [429, { error: { code: 429, type: 'insufficient_quota' } }],
    [400, { error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' } }],
    [400, { error: { code: 'billing_hard_limit_reached', type: 'billing_error' } }],
    [403, { code: 'insufficient_balance', message: 'x' }],
    [429, [{ error: { code: 'insufficient_quota' } }]],
  ])('with status %i and %j is about the credit', (status, body) => {
    for (const as of [{ data: body }, { responseBody: JSON.stringify(body) }]) {
      expect(errorOf(call(status, as))).toMatchObject({
        reason: 'NOT_CONFIGURED',
        data: undefined,
        message: expect.stringContaining('The credit of the account at OpenAI is used up') as unknown,
      })
      expect(isCreditUsedUp(errorOf(call(status, as)))).toBe(true)
    }
  })

  const filtered = 'The content filter of the language model refused the content'
  test.each([
    [429, { type: 'requests', code: 'rate_limit_exceeded' }, { reason: 'PROVIDER_UNAVAILABLE' }],
    [429, { status: 'RESOURCE_EXHAUSTED', code: 429 }, { reason: 'PROVIDER_UNAVAILABLE' }],
    [400, { type: 'invalid_request_error', code: null }, { message: 'The language model refused the request' }],
    [400, { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } }, { message: filtered }],
    [400, { code: 'data_inspection_failed' }, { message: filtered }],
  ])('with status %i and %j is not', (status, error, expected) => {
    const found = errorOf(call(status, { data: { error } }))
    expect(found).toMatchObject(expected)
    expect(isCreditUsedUp(found)).toBe(false)
  })
})
