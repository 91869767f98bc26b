import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TelephonyWebhooks } from '../../src/ports/telephony-webhooks.ts'
import type { AgentSignIn, CallRecordPage, Telephony } from '../../src/ports/telephony.ts'

/** A telephony adapter with an account of its own, and simulated callers and phones. Created for each test. */
export type TelephonyUnderTest = AsyncDisposable & {
  readonly telephony: Telephony
  readonly callbacks: TelephonyWebhooks
  /** The same account with an API key that is wrong. */
  readonly withWrongKey: Telephony
  readonly callbacksWithWrongKey: TelephonyWebhooks
  /** Signed out at the beginning; both known to the provider. */
  readonly agent: AgentSignIn
  readonly otherAgent: AgentSignIn
  readonly did: string
  readonly campaignName: string
  readonly disposition: string
  readonly pauseReason: string
  /** A call comes in for the agent. The next functions are the further steps of the call. */
  readonly ring: (from: string) => { readonly ucid: string }
  readonly answer: (ucid: string) => void
  readonly hangUp: (ucid: string) => void
  /** A third party of the call picks up. */
  readonly answerParty: (ucid: string, phoneNumber: string) => void
  /** Calls that rang and were not answered. */
  readonly miss: (from: string) => { readonly ucid: string }
  readonly now: () => number
  readonly advance: (ms: number) => void
  /** The recording of the first call; null if the provider has none. */
  readonly recordingUrl: string | null
  /** Addresses for live events. `received` also gets the end of a call, whose address the provider's administrator configures. */
  readonly eventUrls: { readonly callEventsUrl: string; readonly agentEventsUrl: string }
  /** Waits for at least `count` webhooks, and returns all so far. */
  readonly received: (count: number) => Promise<readonly { readonly body: string; readonly contentType: string }[]>
  /** The account's API key, which must not occur in anything that is stored. */
  readonly secret: string
  /** The agent's state at the provider. */
  readonly stateOfAgent: () => string
  readonly stateOfCall: (ucid: string) => {
    readonly held: boolean
    readonly muted: boolean
    readonly recording: 'on' | 'paused'
    readonly over: boolean
    readonly parties: number
    readonly agentLeft: boolean
  }
}

/** The contract of every telephony adapter. */
export function telephonyContract(create: () => Promise<TelephonyUnderTest>): void {
  let subject: TelephonyUnderTest
  let telephony: Telephony
  beforeEach(async () => {
    subject = await create()
    telephony = subject.telephony
  })
  afterEach(() => subject[Symbol.asyncDispose]())

  const customer = '+919876543210'
  const asReported: unknown = expect.stringMatching(/9876543210$/)
  const getReady = async (): Promise<void> => {
    await telephony.signIn(subject.agent)
    await telephony.setState({ agentId: subject.agent.agentId, state: 'READY' })
  }
  const talk = (): string => {
    const { ucid } = subject.ring(customer)
    subject.answer(ucid)
    return ucid
  }
  const parties = (ucid: string) => ({ ucid, did: subject.did, customerNumber: customer, agentPhoneNumber: subject.agent.phoneNumber })
  const outcome = (ucid: string) => ({ ucid, did: subject.did, agentId: subject.agent.agentId, disposition: subject.disposition })

  describe('agents', () => {
    test('sign in, and signing in again changes nothing', async () => {
      expect(await telephony.signIn(subject.agent)).toEqual({ alreadySignedIn: false })
      expect(await telephony.signIn(subject.agent)).toEqual({ alreadySignedIn: true })
      expect(subject.stateOfAgent()).toBe('NOT_READY')
    })

    test('sign out, and signing out again changes nothing', async () => {
      await telephony.signIn(subject.agent)
      expect(await telephony.signOut(subject.agent)).toEqual({ wasSignedIn: true })
      expect(await telephony.signOut(subject.agent)).toEqual({ wasSignedIn: false })
      expect(subject.stateOfAgent()).toBe('SIGNED_OUT')
    })

    test('are refused with a wrong password, in and out', async () => {
      const wrong = { ...subject.agent, password: 'wrong' }
      await expect(telephony.signIn(wrong)).rejects.toMatchObject({ reason: 'SIGN_IN_REFUSED' })
      await telephony.signIn(subject.agent)
      await expect(telephony.signOut(wrong)).rejects.toMatchObject({ reason: 'SIGN_IN_REFUSED' })
      expect(subject.stateOfAgent()).toBe('NOT_READY')
    })

    test('do not share a phone', async () => {
      await telephony.signIn(subject.agent)
      const onSamePhone = telephony.signIn({ ...subject.otherAgent, phoneNumber: subject.agent.phoneNumber })
      await expect(onSamePhone).rejects.toMatchObject({ reason: 'WRONG_STATE' })
    })

    test('become ready and not ready', async () => {
      await getReady()
      expect(subject.stateOfAgent()).toBe('READY')
      await telephony.setState({ agentId: subject.agent.agentId, state: 'NOT_READY', pauseReason: subject.pauseReason })
      expect(subject.stateOfAgent()).toBe('PAUSED')
    })

    test('are not made ready when signed out, nor paused for an unknown reason or while wrapping up or talking', async () => {
      const { agentId } = subject.agent
      await expect(telephony.setState({ agentId, state: 'READY' })).rejects.toMatchObject({ reason: 'WRONG_STATE' })
      await getReady()
      await expect(telephony.setState({ agentId, state: 'NOT_READY', pauseReason: 'no reason' })).rejects.toMatchObject({
        reason: 'INVALID_INPUT',
        data: { fields: [{ path: 'pauseReason' }] },
      })
      const ucid = talk()
      const pause = () => telephony.setState({ agentId, state: 'NOT_READY', pauseReason: subject.pauseReason })
      await expect(pause()).rejects.toMatchObject({ reason: 'WRONG_STATE' })
      subject.hangUp(ucid)
      await expect(pause()).rejects.toMatchObject({ reason: 'WRONG_STATE' })
    })
  })

  describe('calls', () => {
    test('are dialled for a signed-in agent, ready or not', async () => {
      await telephony.signIn(subject.agent)
      const { ucid } = await telephony.dial({ agentId: subject.agent.agentId, phoneNumber: customer, campaignName: subject.campaignName })
      expect(ucid).toMatch(/^\d+$/)
      subject.answer(ucid)
      expect(subject.stateOfCall(ucid).over).toBe(false)
    })

    test('are not dialled for an agent who is signed out or on a call, nor in an unknown campaign', async () => {
      const call = { agentId: subject.agent.agentId, phoneNumber: customer, campaignName: subject.campaignName }
      await expect(telephony.dial(call)).rejects.toMatchObject({ reason: 'WRONG_STATE' })
      await getReady()
      await expect(telephony.dial({ ...call, campaignName: 'no such campaign' })).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
      await telephony.dial(call)
      await expect(telephony.dial(call)).rejects.toMatchObject({ reason: 'WRONG_STATE' })
    })

    test('are held, muted and freed again', async () => {
      await getReady()
      const ucid = talk()
      await telephony.control({ ...parties(ucid), action: 'HOLD' })
      await telephony.control({ ...parties(ucid), action: 'MUTE' })
      expect(subject.stateOfCall(ucid)).toMatchObject({ held: true, muted: true })
      await telephony.control({ ...parties(ucid), action: 'UNHOLD' })
      await telephony.control({ ...parties(ucid), action: 'UNMUTE' })
      expect(subject.stateOfCall(ucid)).toMatchObject({ held: false, muted: false })
    })

    test('add a third party and remove it', async () => {
      await getReady()
      const ucid = talk()
      await telephony.control({ ...parties(ucid), action: 'CONFERENCE', phoneNumber: '+919812345678' })
      expect(subject.stateOfCall(ucid).parties).toBe(3)
      await telephony.control({ ...parties(ucid), action: 'KICK', phoneNumber: '+919812345678' })
      expect(subject.stateOfCall(ucid)).toMatchObject({ parties: 2, over: false })
    })

    test('go on without the agent if a third party answered, and end if none did', async () => {
      await getReady()
      const left = talk()
      await telephony.control({ ...parties(left), action: 'CONFERENCE', phoneNumber: '+919812345678' })
      subject.answerParty(left, '+919812345678')
      await telephony.control({ ...parties(left), action: 'LEAVE' })
      expect(subject.stateOfCall(left)).toMatchObject({ over: false, agentLeft: true })
      await expect(telephony.control({ ...parties(left), action: 'LEAVE' })).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
      expect(await telephony.recordDisposition({ ...outcome(left), next: { state: 'READY' } })).toEqual({ outcome: 'SAVED' })
      expect(subject.stateOfAgent()).toBe('READY')
      const alone = talk()
      await telephony.control({ ...parties(alone), action: 'CONFERENCE', phoneNumber: '+919812345678' })
      await telephony.control({ ...parties(alone), action: 'LEAVE' })
      expect(subject.stateOfCall(alone)).toMatchObject({ over: true, agentLeft: false })
    })

    test('take no agent and no queue if the provider lacks the capability', async () => {
      await getReady()
      const ucid = talk()
      for (const [capability, party] of [
        ['CONFERENCE_WITH_AGENT', { providerAgentId: subject.otherAgent.agentId }],
        ['CONFERENCE_WITH_QUEUE', { queue: 'Billing' }],
      ] as const) {
        if (telephony.capabilities.has(capability)) continue
        await expect(telephony.control({ ...parties(ucid), action: 'CONFERENCE', ...party })).rejects.toMatchObject({
          reason: 'NOT_SUPPORTED',
        })
      }
    })

    test('are hung up', async () => {
      await getReady()
      const ucid = talk()
      await telephony.control({ ...parties(ucid), action: 'HANG_UP' })
      expect(subject.stateOfCall(ucid).over).toBe(true)
      await expect(telephony.control({ ...parties(ucid), action: 'HOLD' })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    })

    test('stop and resume their recording', async () => {
      await getReady()
      const ucid = talk()
      await telephony.pauseRecording({ ucid, paused: true })
      expect(subject.stateOfCall(ucid).recording).toBe('paused')
      await telephony.pauseRecording({ ucid, paused: false })
      expect(subject.stateOfCall(ucid).recording).toBe('on')
      subject.hangUp(ucid)
      await expect(telephony.pauseRecording({ ucid, paused: true })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    })
  })

  describe('dispositions', () => {
    test('are queued during the call, saved after it, and unchanged when sent again', async () => {
      await getReady()
      const first = talk()
      expect(await telephony.recordDisposition(outcome(first))).toEqual({ outcome: 'QUEUED' })
      subject.hangUp(first)
      expect(await telephony.recordDisposition(outcome(first))).toEqual({ outcome: 'ALREADY_DISPOSED' })
      await telephony.setState({ agentId: subject.agent.agentId, state: 'READY' })
      const second = talk()
      subject.hangUp(second)
      expect(await telephony.recordDisposition({ ...outcome(second), notes: 'spoke to her', next: { state: 'READY' } })).toEqual({
        outcome: 'SAVED',
      })
      expect(subject.stateOfAgent()).toBe('READY')
    })

    test('may leave the agent paused, and carry a time to call back', async () => {
      await getReady()
      const ucid = talk()
      subject.hangUp(ucid)
      const callBackAt = new Date(subject.now() + 86_400_000).toISOString()
      const next = { state: 'NOT_READY', pauseReason: subject.pauseReason } as const
      expect(await telephony.recordDisposition({ ...outcome(ucid), callBackAt, next })).toEqual({ outcome: 'SAVED' })
      expect(subject.stateOfAgent()).toBe('PAUSED')
    })

    test('are refused for an unknown code or call', async () => {
      await getReady()
      const ucid = talk()
      await expect(telephony.recordDisposition({ ...outcome(ucid), disposition: 'no such code' })).rejects.toMatchObject({
        reason: 'INVALID_INPUT',
      })
      await expect(telephony.recordDisposition(outcome('31700000000000001'))).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    })
  })

  describe('reports', () => {
    test('list the calls that no agent answered, with their exact identifiers and their times in UTC', async () => {
      expect(await telephony.missedCalls()).toEqual([])
      const { ucid } = subject.miss(customer)
      const [missed, ...others] = await telephony.missedCalls()
      expect(others).toEqual([])
      expect(missed).toMatchObject({ ucid, phoneNumber: customer, did: subject.did })
      expect(Math.abs(Date.parse(missed?.at ?? '') - subject.now())).toBeLessThan(2_000)
    })

    test('give the record of a call', async () => {
      await getReady()
      const startedAt = subject.now()
      const { ucid } = subject.ring(customer)
      subject.advance(4_000)
      subject.answer(ucid)
      subject.advance(75_000)
      subject.hangUp(ucid)
      await telephony.recordDisposition({ ...outcome(ucid), notes: 'wants a visit' })
      const range = { from: new Date(startedAt - 1_000).toISOString(), to: new Date(subject.now() + 1_000).toISOString() }
      const record = {
        about: 'CALL',
        ucid,
        source: 'RECORD',
        automaticDisposition: null,
        facts: {
          direction: 'INBOUND',
          answered: true,
          phoneNumber: customer,
          dialledNumber: asReported,
          did: subject.did,
          campaignName: subject.campaignName,
          agentId: subject.agent.agentId,
          startedAt: new Date(startedAt).toISOString(),
          answeredAt: new Date(startedAt + 4_000).toISOString(),
          endedAt: new Date(startedAt + 79_000).toISOString(),
          talkSeconds: 75,
          disposition: subject.disposition,
          notes: 'wants a visit',
          recordingUrl: subject.recordingUrl,
        },
      }
      expect(await telephony.callRecordPage({ ...range, after: null })).toEqual({ records: [record], unreadable: 0, next: null })
      expect(await telephony.callRecord({ ucid, startedAt: new Date(startedAt).toISOString() })).toEqual(record)
    })

    test('give the records of several days page by page, each record once', async () => {
      const from = new Date(subject.now() - 1_000).toISOString()
      const ucids = [subject.miss(customer).ucid]
      subject.advance(86_400_000)
      for (let count = 0; count < 501; count += 1) ucids.push(subject.miss(customer).ucid)
      const found: string[] = []
      let after: string | null = null
      do {
        const page: CallRecordPage = await telephony.callRecordPage({ from, to: new Date(subject.now()).toISOString(), after })
        found.push(...page.records.map(({ ucid }) => ucid))
        after = page.next
        subject.advance(70_000)
      } while (after !== null)
      expect(found.toSorted()).toEqual(ucids.toSorted())
    })

    test('are limited for jobs, which leave one to people', async () => {
      const now = new Date(subject.now()).toISOString()
      const page = () => telephony.callRecordPage({ from: now, to: now, after: null })
      const one = () => telephony.callRecord({ ucid: '31700000000000001', startedAt: now })
      const limited = { reason: 'PROVIDER_UNAVAILABLE', data: { retryAfterSeconds: expect.any(Number) as unknown } }
      await page()
      await expect(page()).rejects.toMatchObject(limited)
      expect(await one()).toBeNull()
      await expect(one()).rejects.toMatchObject(limited)
      subject.advance(70_000)
      expect(await page()).toEqual({ records: [], unreadable: 0, next: null })
    })

    test('refuse a time that ends before it begins, and one of more than 15 days ago', async () => {
      const day = (ago: number): string => new Date(subject.now() - ago * 86_400_000).toISOString()
      const refused = { reason: 'INVALID_INPUT' }
      await expect(telephony.callRecordPage({ from: day(0), to: day(1), after: null })).rejects.toMatchObject(refused)
      await expect(telephony.callRecordPage({ from: day(17), to: day(0), after: null })).rejects.toMatchObject(refused)
    })
  })

  describe('webhooks', () => {
    const read = async (count: number) =>
      (await subject.received(count)).flatMap(({ body, contentType }) => subject.callbacks.read(body, contentType))

    test('report each change of a call and its agent, and the complete call at the end', async () => {
      await telephony.subscribe(subject.eventUrls)
      await getReady()
      const { agentId } = subject.agent
      const ringsAt = new Date(subject.now()).toISOString()
      const { ucid } = subject.ring(customer)
      subject.advance(4_000)
      subject.answer(ucid)
      subject.advance(60_000)
      subject.hangUp(ucid)
      await telephony.recordDisposition({ ...outcome(ucid), notes: 'spoke', next: { state: 'READY' } })
      // Sign-in sends 2 agent events; the call then sends 3 call events and 6 agent events.
      await subject.received(11)
      subject.advance(300_001)
      const update = await read(12)
      expect(update.flatMap((one) => (one.about === 'AGENT' ? [one.state] : []))).toEqual([
        'NOT_READY',
        'NOT_READY',
        'READY',
        'ON_CALL',
        'ON_CALL',
        'WRAP_UP',
        'READY',
      ])
      const ofCall = update.filter((one) => one.about === 'CALL')
      const at = (ms: number) => new Date(Date.parse(ringsAt) + ms).toISOString()
      const known = { direction: 'INBOUND', agentId, phoneNumber: customer, dialledNumber: asReported, did: subject.did }
      const live = { about: 'CALL', ucid, source: 'LIVE', automaticDisposition: null }
      expect(ofCall.slice(0, 3)).toEqual([
        { ...live, facts: { ...known, startedAt: at(0) } },
        { ...live, facts: { ...known, answeredAt: at(4_000) } },
        { ...live, facts: { ...known, endedAt: at(64_000) } },
      ])
      const { records } = await telephony.callRecordPage({ from: at(0), to: at(60_000), after: null })
      expect(ofCall.slice(3)).toEqual(records)
      expect(records).toMatchObject([{ ucid, source: 'RECORD', facts: { talkSeconds: 60, disposition: subject.disposition } }])
      expect(JSON.stringify(update)).not.toContain(subject.secret)
    })

    test('report a missed call without a disposition', async () => {
      const { ucid } = subject.miss(customer)
      subject.advance(300_001)
      expect(await read(1)).toMatchObject([
        {
          ucid,
          source: 'RECORD',
          facts: { answered: false, answeredAt: null, talkSeconds: 0, disposition: null },
          automaticDisposition: null,
        },
      ])
    })

    test("mark a disposition that the provider set itself as the provider's", async () => {
      await getReady()
      subject.hangUp(talk())
      subject.advance(300_001)
      const [end] = await read(1)
      expect(end).toMatchObject({ about: 'CALL', facts: { answered: true, disposition: null } })
      expect(end).toHaveProperty('automaticDisposition', expect.stringMatching(/./))
    })

    test('with another key are refused', async () => {
      subject.miss(customer)
      subject.advance(300_001)
      const [callback] = await subject.received(1)
      expect(subject.callbacks.read(callback?.body ?? '', callback?.contentType ?? '')).toHaveLength(1)
      expect(() => subject.callbacksWithWrongKey.read(callback?.body ?? '', callback?.contentType ?? '')).toThrow(/not of this account/)
    })

    test.each([
      ['', 'application/json'],
      ['{', 'application/json'],
      ['[]', 'application/json'],
      ['null', 'application/json'],
      ['{"eventType":"Call"}', 'application/json'],
      ['{"eventType":"Call","data":{"action":"Calling"}}', 'application/json'],
      ['', 'application/x-www-form-urlencoded'],
      ['other=1', 'application/x-www-form-urlencoded'],
      ['data=', 'application/x-www-form-urlencoded'],
      ['data={"monitorUCID":', 'application/x-www-form-urlencoded'],
      ['data=[]', 'application/x-www-form-urlencoded'],
      ['data={"monitorUCID":"12; drop","StartTime":"2025-01-15 14:00:00"}', 'application/x-www-form-urlencoded'],
      ['nonsense', 'multipart/form-data; boundary=x'],
      ['nonsense', ''],
    ])('%j as %j is none', (body, contentType) => {
      const shown = body.replace('"monitorUCID":"', `"Apikey":"${subject.secret}","monitorUCID":"`)
      expect(() => subject.callbacks.read(shown, contentType)).toThrow(expect.objectContaining({ reason: 'INVALID_INPUT' }))
    })
  })

  test('every method refuses a wrong account key, and the error does not contain the key', async () => {
    const { withWrongKey } = subject
    const methods: readonly (() => Promise<unknown>)[] = [
      () => withWrongKey.signIn(subject.agent),
      () => withWrongKey.signOut(subject.agent),
      () => withWrongKey.setState({ agentId: subject.agent.agentId, state: 'READY' }),
      () => withWrongKey.dial({ agentId: subject.agent.agentId, phoneNumber: customer, campaignName: subject.campaignName }),
      () => withWrongKey.control({ ...parties('31700000000000001'), action: 'HOLD' }),
      () => withWrongKey.pauseRecording({ ucid: '31700000000000001', paused: true }),
      () => withWrongKey.recordDisposition(outcome('31700000000000001')),
      () => withWrongKey.missedCalls(),
      () => withWrongKey.subscribe(subject.eventUrls),
      () =>
        withWrongKey.callRecordPage({
          from: new Date(subject.now()).toISOString(),
          to: new Date(subject.now()).toISOString(),
          after: null,
        }),
      () => withWrongKey.callRecord({ ucid: '31700000000000001', startedAt: new Date(subject.now()).toISOString() }),
    ]
    for (const method of methods) {
      const error: unknown = await method().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ reason: 'PROVIDER_REFUSED' })
      expect(String(error)).not.toContain('wrong-key')
    }
  })
}
