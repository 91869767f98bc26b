import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CallUpdate, TelephonyWebhooks } from '../../src/ports/telephony-webhooks.ts'
import type { OutboundTelephony } from '../../src/ports/outbound-telephony.ts'

/** An outbound adapter, and simulated phones. Created for each test. */
export type OutboundUnderTest = AsyncDisposable & {
  readonly outbound: OutboundTelephony
  readonly callbacks: TelephonyWebhooks
  /** The same account with a key that is wrong. */
  readonly withWrongKey: OutboundTelephony
  /** Both parties answer, talk and hang up; or no party answers. */
  readonly talk: (callId: string, seconds: number) => void
  readonly ringOut: (callId: string) => void
  /** The webhooks that the provider has sent, oldest first. */
  readonly received: (count: number) => Promise<readonly { readonly body: string; readonly contentType: string }[]>
  readonly callbackUrl: string
  /** A recording address on a foreign host, and whether that host has received the account's credentials. */
  readonly strangerUrl: string
  readonly strangerWasAsked: () => boolean
  readonly now: () => number
}

const agentRecordId = '0197a3c0-5b1e-4d0f-8a54-6f1a2b3c4d5e'

/** The contract of every outbound adapter. */
export function outboundContract(create: () => Promise<OutboundUnderTest>): void {
  let subject: OutboundUnderTest
  beforeEach(async () => {
    subject = await create()
  })
  afterEach(() => subject[Symbol.asyncDispose]())

  const dial = (changes: { phoneNumber?: string } = {}) =>
    subject.outbound.dial({
      agentPhoneNumber: '+919800000001',
      phoneNumber: '+919876543210',
      recorded: true,
      statusWebhookUrl: subject.callbackUrl,
      reference: agentRecordId,
      ...changes,
    })
  const update = async (count: number): Promise<readonly CallUpdate[]> =>
    (await subject.received(count))
      .flatMap(({ body, contentType }) => subject.callbacks.read(body, contentType))
      .flatMap((one) => (one.about === 'CALL' ? [one] : []))
  const talked = async (): Promise<{ callId: string; url: string }> => {
    const { callId } = await dial()
    subject.talk(callId, 10)
    return { callId, url: (await update(2))[1]?.facts.recordingUrl ?? '' }
  }
  const bytesOf = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  test('reports a connected call as answered and ended, with its duration and recording', async () => {
    const { callId, startedAt } = await dial()
    expect(startedAt).toBe(new Date(subject.now()).toISOString())
    subject.talk(callId, 42)
    const [live, record] = await update(2)
    const known = {
      direction: 'OUTBOUND',
      phoneNumber: '+919876543210',
      dialledNumber: expect.stringMatching(/9876543210$/) as unknown,
      did: '+918069876590',
      startedAt,
    }
    expect(live).toEqual({
      about: 'CALL',
      ucid: callId,
      source: 'LIVE',
      facts: { ...known, agentRecordId: null, answeredAt: startedAt },
      automaticDisposition: null,
    })
    expect(record).toMatchObject({
      ucid: callId,
      source: 'RECORD',
      facts: { ...known, agentRecordId, answered: true, answeredAt: startedAt, talkSeconds: 42 },
    })
    expect(record?.facts.endedAt).toBe(new Date(subject.now()).toISOString())
    expect(record?.facts.recordingUrl).toMatch(/^http/)
  })

  test('reports a call that is not answered', async () => {
    const { callId } = await dial()
    subject.ringOut(callId)
    const facts = { answered: false, answeredAt: null, talkSeconds: 0, recordingUrl: null }
    expect(await update(1)).toMatchObject([{ ucid: callId, source: 'RECORD', facts }])
  })

  test('answers how a call has ended, as its webhook says', async () => {
    const { callId } = await dial()
    expect(await subject.outbound.endedCall(callId)).toBeNull()
    subject.talk(callId, 42)
    const [, record] = await update(2)
    // Only the webhook has the reference.
    expect(await subject.outbound.endedCall(callId)).toEqual({ ...record?.facts, agentRecordId: null })
  })

  test('answers that nobody has answered a call', async () => {
    const { callId } = await dial()
    subject.ringOut(callId)
    expect(await subject.outbound.endedCall(callId)).toMatchObject({
      answered: false,
      answeredAt: null,
      talkSeconds: 0,
      recordingUrl: null,
    })
  })

  test('a call that the provider does not know is NOT_FOUND', async () => {
    await expect(subject.outbound.endedCall('f'.repeat(32))).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  })

  test('fetches the recording with the credentials, completely or in part', async () => {
    const { url } = await talked()
    expect((await fetch(url)).status).toBe(401)
    const whole = await subject.outbound.recording({ url })
    const bytes = await bytesOf(whole.body)
    expect(whole).toMatchObject({ status: 200, contentType: 'audio/wav', contentLength: bytes.length })
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
    const part = await subject.outbound.recording({ url, range: 'bytes=4-7' })
    expect(part).toMatchObject({ status: 206, contentLength: 4, contentRange: `bytes 4-7/${bytes.length}` })
    expect(await bytesOf(part.body)).toEqual(bytes.subarray(4, 8))
  })

  test('a missing recording is NOT_FOUND', async () => {
    const { callId, url } = await talked()
    const missing = url.replace(callId, 'f'.repeat(32))
    await expect(subject.outbound.recording({ url: missing })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  })

  test('sends the credentials to no other host', async () => {
    for (const url of [
      subject.strangerUrl,
      'http://api.exotel.com.example/x.wav',
      'http://recordings.exotel.com/x.wav',
      'nonsense',
      'file:///etc/passwd',
    ]) {
      await expect(subject.outbound.recording({ url })).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
    }
    expect(subject.strangerWasAsked()).toBe(false)
  })

  test('an invalid number is refused', async () => {
    await expect(dial({ phoneNumber: '+91' })).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
  })

  test('a wrong key is refused', async () => {
    const wrong = subject.withWrongKey.dial({
      agentPhoneNumber: '+919800000001',
      phoneNumber: '+919876543210',
      recorded: false,
      statusWebhookUrl: null,
      reference: '',
    })
    await expect(wrong).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  })

  test.each([
    ['{', 'application/json'],
    ['{}', 'application/json'],
    ['{"CallSid":"1","EventType":"other"}', 'application/json'],
    ['[]', 'application/json'],
    ['a=b', 'application/x-www-form-urlencoded'],
  ])('%s is no status', (body, contentType) => {
    expect(() => subject.callbacks.read(body, contentType)).toThrow(expect.objectContaining({ reason: 'INVALID_INPUT' }))
  })
}
