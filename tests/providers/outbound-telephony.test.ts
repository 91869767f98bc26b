import { describe, expect, test } from 'vitest'
import { createOutboundTelephony, createTelephonyWebhooks } from '../../src/providers/telephony/registry.ts'
import { outboundAccounts } from '../../src/sandbox/accounts.ts'
import { type OutboundStandIn, startOutboundTelephony } from '../../src/sandbox/outbound/outbound.ts'
import { outboundContract } from '../contracts/outbound-telephony.ts'
import { createTestClock } from '../harness/clock.ts'
import { startListener } from '../harness/listener.ts'
import { waitFor } from '../harness/wait-for.ts'

const { sid, key, token, callerId } = outboundAccounts.demo
const settingsFor = (provider: OutboundStandIn) => ({
  id: 'exotel',
  url: provider.url,
  account: sid,
  apiKey: key,
  apiToken: token,
  callerId,
})
const call = { agentPhoneNumber: '+919800000001', phoneNumber: '+919876543210', recorded: false, statusWebhookUrl: null, reference: '' }

describe('Exotel', () => {
  outboundContract(async () => {
    const stack = new AsyncDisposableStack()
    const clock = createTestClock()
    const provider = stack.use(await startOutboundTelephony({ clock }))
    const listener = stack.use(await startListener())
    const settings = settingsFor(provider)
    const callbacks = () => listener.received.filter(({ path }) => path === '/status')
    return {
      outbound: createOutboundTelephony(settings, { defaultCountry: 'IN' }),
      callbacks: createTelephonyWebhooks(settings, { defaultCountry: 'IN' }, 'outbound'),
      withWrongKey: createOutboundTelephony({ ...settings, apiKey: 'wrong' }, { defaultCountry: 'IN' }),
      talk(callId, seconds) {
        provider.answer({ callId })
        clock.advance(seconds * 1000)
        provider.hangUp({ callId })
      },
      ringOut: (callId) => provider.hangUp({ callId }),
      async received(count) {
        await waitFor(() => callbacks().length >= count)
        return callbacks().map(({ body, contentType }) => ({ body: body.toString(), contentType }))
      },
      callbackUrl: `${listener.url}/status`,
      strangerUrl: `${listener.url}/steal.wav`,
      strangerWasAsked: () => listener.received.some(({ path }) => path === '/steal.wav'),
      now: () => clock.now(),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  })

  test('dials with the form that the vendor documents', async () => {
    await using provider = await startOutboundTelephony()
    const outbound = createOutboundTelephony(settingsFor(provider), { defaultCountry: 'IN' })
    await outbound.dial({ ...call, recorded: true, statusWebhookUrl: 'https://service.example/hooks/x', reference: 'ref' })
    const [seen] = provider.calls('connect.json')
    expect(seen?.headers.authorization).toBe(`Basic ${Buffer.from(`${key}:${token}`).toString('base64')}`)
    expect(Object.fromEntries(new URLSearchParams(seen?.body))).toEqual({
      From: '09800000001',
      To: '09876543210',
      CallerId: '08069876590',
      CallType: 'trans',
      TimeLimit: '14400',
      Record: 'true',
      RecordingChannels: 'dual',
      CustomField: 'ref',
      StatusCallback: 'https://service.example/hooks/x',
      'StatusCallbackEvents[0]': 'terminal',
      'StatusCallbackEvents[1]': 'answered',
      StatusCallbackContentType: 'application/json',
    })
  })

  test.each([
    ['its own fault', { act: 'refuse', status: 503 }, 'PROVIDER_UNAVAILABLE'],
    ['a cut connection', { act: 'cut' }, 'PROVIDER_UNAVAILABLE'],
    ['an answer that is none', { act: 'refuse', status: 200, body: '<html>' }, 'PROVIDER_ANSWER_INVALID'],
    ['a call without an identifier', { act: 'refuse', status: 200, body: '{"Call":{}}' }, 'PROVIDER_ANSWER_INVALID'],
    ['silence', { act: 'hang' }, 'DEADLINE_PASSED'],
  ] as const)('%s is reported as the error %s', async (_name, fault, reason) => {
    await using provider = await startOutboundTelephony()
    provider.fault(fault)
    const deadlineMs = fault.act === 'hang' ? 200 : 30_000
    await expect(createOutboundTelephony(settingsFor(provider), { defaultCountry: 'IN', deadlineMs }).dial(call)).rejects.toMatchObject({
      reason,
    })
  })

  test('reports when to retry if the limit of calls per minute is reached', async () => {
    await using provider = await startOutboundTelephony({ requestsPerMinute: 2 })
    const outbound = createOutboundTelephony(settingsFor(provider), { defaultCountry: 'IN' })
    await outbound.dial(call)
    await outbound.dial(call)
    await expect(outbound.dial(call)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE', data: { retryAfterSeconds: 60 } })
  })

  test('parses a form, its usual webhook, like JSON', () => {
    const settings = { id: 'exotel', account: 'a', apiKey: 'k', apiToken: 't', callerId: '+918069876590' }
    const status = {
      CallSid: 'c1',
      EventType: 'terminal',
      Status: 'busy',
      To: '09876543210',
      StartTime: '2025-01-15 14:30:00',
      EndTime: '',
    }
    const form = new URLSearchParams({ ...status, DateUpdated: '2025-01-15 14:30:20', ConversationDuration: '0' }).toString()
    const [update] = createTelephonyWebhooks(settings, { defaultCountry: 'IN' }, 'outbound').read(form, 'application/x-www-form-urlencoded')
    expect(update).toMatchObject({
      ucid: 'c1',
      facts: { phoneNumber: '+919876543210', answered: false, startedAt: '2025-01-15T09:00:00.000Z', endedAt: '2025-01-15T09:00:20.000Z' },
    })
  })

  describe('decides by the legs whether the customer answered', () => {
    const settings = { id: 'exotel', account: 'a', apiKey: 'k', apiToken: 't', callerId: '+918069876590' }
    const at = { StartTime: '2025-01-15 14:30:00', EndTime: '2025-01-15 14:31:00', DateUpdated: '2025-01-15 14:31:02' }
    const status = { CallSid: 'c1', EventType: 'terminal', Status: 'completed', To: '09876543210', PhoneNumberSid: '08069876590', ...at }
    const agent = { OnCallDuration: 50, Status: 'completed', AnsweredBy: 'HUMAN' }
    const customer = { OnCallDuration: 0, Status: 'no-answer', AnsweredBy: 'NA' }
    const read = (changes: object) => {
      const body = JSON.stringify({ ...status, ...changes })
      const [update] = createTelephonyWebhooks(settings, { defaultCountry: 'IN' }, 'outbound').read(body, 'application/json')
      return update
    }
    const missed = { answered: false, answeredAt: null, talkSeconds: 0, did: '+918069876590' }

    test.each([
      ['a customer who did not answer', { ConversationDuration: 0, Legs: [agent, customer] }, missed],
      ['a duration that counts the ringing', { ConversationDuration: 50, Legs: [agent, { ...customer, Status: 'busy' }] }, missed],
      ['only the leg of the agent', { ConversationDuration: 50, Legs: [agent] }, missed],
      ['no legs and no conversation', { ConversationDuration: 0 }, missed],
      [
        'a conversation',
        { ConversationDuration: 31, Legs: [agent, { ...agent, OnCallDuration: 32 }] },
        { answered: true, talkSeconds: 31 },
      ],
      ['a conversation by its leg', { Legs: [agent, { ...agent, OnCallDuration: 32 }] }, { answered: true, talkSeconds: 32 }],
      ['a conversation of no full second', { Legs: [agent, { ...agent, OnCallDuration: 0 }] }, { answered: true, talkSeconds: 0 }],
      ['a conversation without legs', { ConversationDuration: 31 }, { answered: true, talkSeconds: 31 }],
      ['a conversation of impossible length', { ConversationDuration: 1e300, Legs: [agent, agent] }, { answered: true, talkSeconds: 50 }],
    ])('%s', (_name, changes, facts) => {
      expect(read(changes)).toMatchObject({ source: 'RECORD', facts })
    })

    test.each([
      ['without legs, the agent may be alone', {}, { mayBeAgentAlone: true, facts: { answeredAt: '2025-01-15T09:01:02.000Z' } }],
      [
        'with the legs of both',
        { Legs: [agent, { ...agent, Status: 'in-progress' }] },
        { facts: { answeredAt: '2025-01-15T09:01:02.000Z' } },
      ],
      ['while the customer rings', { Legs: [agent, { ...customer, Status: '' }] }, { facts: { answeredAt: null } }],
    ])('an answered event %s', (_name, changes, update) => {
      expect(read({ ...changes, EventType: 'answered', Status: 'in-progress' })).toMatchObject({ source: 'LIVE', ...update })
    })
  })

  test('truncates a reference that is too long for it', async () => {
    await using provider = await startOutboundTelephony()
    const { callId } = await createOutboundTelephony(settingsFor(provider), { defaultCountry: 'IN' }).dial({
      ...call,
      reference: 'r'.repeat(200),
    })
    expect(provider.call({ callId }).customField).toBe('r'.repeat(128))
  })

  test('is not used while it is not configured', () => {
    expect(() => createOutboundTelephony(null, { defaultCountry: 'IN' })).toThrow(/Not configured: set "outbound"/)
    expect(() => createOutboundTelephony({ id: 'exotel' }, { defaultCountry: 'IN' })).toThrow(
      /outbound\.account, outbound\.apiKey, outbound\.apiToken, outbound\.callerId$/,
    )
  })

  test('the stand-in answers with XML if .json is missing, and repeats webhooks that are not answered', async () => {
    await using listener = await startListener()
    const clock = createTestClock()
    await using provider = await startOutboundTelephony({ clock, callbackRetryDelaysMs: [60_000, 60_000] })
    const headers = { authorization: `Basic ${Buffer.from(`${key}:${token}`).toString('base64')}` }
    const body = new URLSearchParams({ From: '09800000001', To: '09876543210', CallerId: '08069876590' })
    const answer = await fetch(`${provider.url}/v1/Accounts/${sid}/Calls/connect`, { method: 'POST', headers, body })
    expect(await answer.text()).toMatch(/^<TwilioResponse><Call><Sid>/)
    expect(await (await fetch(`${provider.url}/v1/Accounts/${sid}/Calls/connect.json`, { method: 'POST', body })).json()).toMatchObject({
      RestException: { Status: 401, Code: 'UNAUTHORIZED' },
    })
    const { callId } = await createOutboundTelephony(settingsFor(provider), { defaultCountry: 'IN' }).dial({
      ...call,
      statusWebhookUrl: `${listener.url.replace(/\d+$/, '1')}/none`,
    })
    provider.hangUp({ callId })
    await waitFor(() => provider.callbacks()[0]?.tries === 1)
    clock.advance(60_001)
    await waitFor(() => provider.callbacks()[0]?.tries === 2)
    clock.advance(60_001)
    await waitFor(() => provider.callbacks()[0]?.tries === 3)
    expect(provider.callbacks()[0]?.done).toBe(false)
  })
})
