import { describe, expect, test } from 'vitest'
import type { TelephonyWebhooks } from '../../src/ports/telephony-webhooks.ts'
import type { Telephony } from '../../src/ports/telephony.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTelephony, createTelephonyWebhooks } from '../../src/providers/telephony/registry.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { startTelephony, type TelephonyStandIn, type TelephonyStandInOptions } from '../../src/sandbox/telephony/telephony.ts'
import { telephonyContract } from '../contracts/telephony.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { startListener } from '../harness/listener.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const { userName, apiKey, agents, campaigns, dispositions, pauseReasons } = telephonyAccounts.demo
const [first, second] = agents
if (!first || !second) throw new Error('the sandbox lacks agents')
const agent = { agentId: first.id, password: first.password, phoneNumber: first.phoneNumber }
const otherAgent = { agentId: second.id, password: second.password, phoneNumber: second.phoneNumber }
const statuses: Readonly<Record<string, string>> = { loggedOut: 'SIGNED_OUT', AUX: 'NOT_READY', IDLE: 'READY', pause: 'PAUSED' }

type Mode = 'API_KEY' | 'TOKEN'
type World = AsyncDisposable & {
  readonly provider: TelephonyStandIn
  readonly store: Store
  readonly clock: TestClock
  readonly open: (settings?: Readonly<Record<string, unknown>>, deadlineMs?: number) => Telephony
  readonly callbacks: (settings?: Readonly<Record<string, unknown>>) => TelephonyWebhooks
}

/** The stand-in, a store and a stopped clock; `open` creates the adapter as the service does for each use. */
async function createWorld(mode: Mode, options: TelephonyStandInOptions = {}): Promise<World> {
  const stack = new AsyncDisposableStack()
  const clock = createTestClock()
  const provider = stack.use(await startTelephony({ clock, ...options }))
  const directory = stack.use(await createTempDir())
  const store = createSqliteStore({ dataDir: directory.path, clock, retentionOf })
  stack.defer(() => store.close())
  provider.accountMode({ mode: mode === 'TOKEN' ? 'token' : 'apiKey' })
  const deps = { store, clock, log: createLog('silent'), defaultCountry: 'IN' } as const
  const usual = { id: 'ozonetel', apiUrl: provider.url, eventsUrl: provider.url, account: userName, apiKey, authentication: mode }
  return {
    provider,
    store,
    clock,
    callbacks: (settings) => createTelephonyWebhooks({ ...usual, ...settings }, deps),
    open: (settings, deadlineMs = 10_000) => createTelephony({ ...usual, ...settings }, { ...deps, deadlineMs }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe.each(['API_KEY', 'TOKEN'] as const)('Ozonetel with %s', (mode) => {
  telephonyContract(async () => {
    const world = await createWorld(mode, { recordingBaseUrl: 'http://127.0.0.1:9/recordings/', endOfCallDelayMs: 300_000 })
    const { provider, clock } = world
    const listener = await startListener()
    provider.accountMode({ endOfCallUrl: `${listener.url}/end` })
    return {
      telephony: world.open(),
      callbacks: world.callbacks(),
      withWrongKey: world.open({ apiKey: 'wrong-key' }),
      callbacksWithWrongKey: world.callbacks({ apiKey: 'wrong-key' }),
      agent,
      otherAgent,
      did: campaigns[0].did,
      campaignName: campaigns[0].name,
      disposition: dispositions[0] ?? '',
      pauseReason: pauseReasons[0] ?? '',
      ring: (from) => provider.ring({ from }),
      answer: (ucid) => provider.answer({ ucid }),
      hangUp: (ucid) => provider.hangUp({ ucid }),
      answerParty: (ucid, number) => provider.answerParty({ ucid, number }),
      miss: (from) => provider.missCall({ from }),
      recordingUrl: 'http://127.0.0.1:9/recordings/call-001.wav',
      eventUrls: { callEventsUrl: `${listener.url}/calls`, agentEventsUrl: `${listener.url}/agents` },
      async received(count) {
        await waitFor(() => listener.received.length >= count, { what: `${count} callbacks` })
        return listener.received.map(({ body, contentType }) => ({ body: body.toString(), contentType }))
      },
      secret: apiKey,
      now: () => clock.now(),
      advance: (ms) => clock.advance(ms),
      stateOfAgent: () => statuses[provider.agent({ agentId: first.id }).status] ?? '',
      stateOfCall(ucid) {
        const { held, muted, recording, phase, conference, agentLeft } = provider.call({ ucid })
        return { held, muted, recording, over: phase === 'ended', parties: 2 + conference.length, agentLeft }
      },
      async [Symbol.asyncDispose]() {
        await world[Symbol.asyncDispose]()
        await listener[Symbol.asyncDispose]()
      },
    }
  })

  test.each([
    ['its own fault', { act: 'refuse', status: 500 }, 'PROVIDER_UNAVAILABLE'],
    [
      'a gateway in front of it',
      { act: 'refuse', status: 502, body: '<html>Bad gateway</html>', contentType: 'text/html' },
      'PROVIDER_UNAVAILABLE',
    ],
    ['HTML in place of JSON', { act: 'refuse', status: 200, body: '<html></html>', contentType: 'text/html' }, 'PROVIDER_ANSWER_INVALID'],
    ['an empty answer', { act: 'refuse', status: 200 }, 'PROVIDER_ANSWER_INVALID'],
    ['a cut connection', { act: 'cut' }, 'PROVIDER_UNAVAILABLE'],
    ['its rate limit', { act: 'refuse', status: 429 }, 'PROVIDER_UNAVAILABLE'],
  ] as const)('%s is reported as the error %s', async (_name, fault, reason) => {
    await using world = await createWorld(mode)
    const telephony = world.open()
    await telephony.signIn(agent)
    world.provider.fault({ operation: 'changeAgentState', ...fault })
    const error: unknown = await telephony.setState({ agentId: first.id, state: 'READY' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ reason })
    expect(String(error)).not.toMatch(/html|ozonetel|127\.0\.0\.1/i)
  })
})

describe('Ozonetel', () => {
  test.each(['API_KEY', 'TOKEN'] as const)('that never answers is given up at the deadline, with %s', async (mode) => {
    await using world = await createWorld(mode)
    world.provider.fault({ act: 'hang' })
    const telephony = world.open({}, 100)
    await expect(telephony.missedCalls()).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
    await expect(telephony.signIn(agent)).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  })

  test('is not used while its settings are incomplete', async () => {
    await using world = await createWorld('TOKEN')
    expect(() => world.open({ apiKey: undefined })).toThrow(/not complete: provider\.apiKey$/)
    expect(() => world.open({ id: 'nobody' })).toThrow(/"nobody" is not known/)
  })

  test('returns exact identifiers if the provider writes them as numbers', async () => {
    await using world = await createWorld('API_KEY')
    const { ucid } = world.provider.missCall({ from: '+919876543210' })
    expect(Number.isSafeInteger(Number(ucid))).toBe(false)
    const [missed] = await world.open().missedCalls()
    expect(missed?.ucid).toBe(ucid)
  })

  describe('reads the times of a record, which have no date', () => {
    const ucid = '31795211882000007'
    const call = { monitorUCID: ucid, Type: 'Inbound', Status: 'Answered', CallDate: '2025-01-14', CallerID: '9876543210' }
    const cases = [
      { name: 'a call of one day', times: ['22:00:00', '22:00:05', '22:03:00'], read: ['16:30:00', '16:30:05', '16:33:00'] },
      { name: 'answered after midnight', times: ['23:59:50', '00:00:05', '00:03:00'], read: ['18:29:50', '18:30:05', '18:33:00'] },
      { name: 'ended after midnight', times: ['23:59:50', '23:59:55', '00:03:00'], read: ['18:29:50', '18:29:55', '18:33:00'] },
      { name: 'answered and ended as it began', times: ['22:00:00', '22:00:00', '22:00:00'], read: ['16:30:00', '16:30:00', '16:30:00'] },
      {
        name: 'with dates, and a clock that went back a second',
        times: ['2025-01-14 22:00:01', '2025-01-14 22:00:00', '2025-01-14 22:03:00'],
        read: ['16:30:01', '16:30:00', '16:33:00'],
      },
    ] as const
    test.each(cases)('$name', async ({ times: [StartTime, PickupTime, EndTime], read }) => {
      await using world = await createWorld('API_KEY')
      const body = JSON.stringify({ status: 'success', details: [{ ...call, StartTime, PickupTime, EndTime }] })
      world.provider.fault({ operation: 'fetchCdrByUCID', act: 'refuse', status: 200, body })
      const record = await world.open().callRecord({ ucid, startedAt: '2025-01-14T16:30:00.000Z' })
      const [startedAt, answeredAt, endedAt] = read.map((time) => `2025-01-14T${time}.000Z`)
      expect(record?.facts).toMatchObject({ startedAt, answeredAt, endedAt })
    })
  })

  test('formats the dialled number as the provider requires', async () => {
    await using world = await createWorld('API_KEY')
    const telephony = world.open()
    await telephony.signIn(agent)
    const { ucid } = await telephony.dial({
      agentId: first.id,
      phoneNumber: '+919876543210',
      campaignName: campaigns[0].name,
      reference: 'lead-1',
    })
    expect(world.provider.call({ ucid })).toMatchObject({ customer: '09876543210', uui: 'lead-1' })
  })

  test('parses the end of a call with any spelling of its fields', async () => {
    await using world = await createWorld('API_KEY')
    const data = `{"monitorUCID":31795211882000007,"DId":"918069876501","StartTime":"2025-01-15 14:30:00","Status":"NotAnswered","Type":"InBound","AgentID":"None","apikey":"${apiKey}"}`
    const facts = { did: '+918069876501', startedAt: '2025-01-15T09:00:00.000Z', agentId: null, direction: 'INBOUND', answered: false }
    expect(world.callbacks().read(new URLSearchParams({ data }).toString(), 'application/x-www-form-urlencoded')).toMatchObject([
      { ucid: '31795211882000007', facts },
    ])
  })

  test('refuses the end of a call without an identifier of digits, or without a moment', async () => {
    await using world = await createWorld('API_KEY')
    const read = (fields: object) => {
      const data = JSON.stringify({ StartTime: '2025-01-15 14:30:00', apikey: apiKey, ...fields })
      return world.callbacks().read(new URLSearchParams({ data }).toString(), 'application/x-www-form-urlencoded')
    }
    for (const monitorUCID of ['', '12a', '1'.repeat(31), null])
      expect(() => read({ monitorUCID })).toThrow(expect.objectContaining({ reason: 'INVALID_INPUT' }))
    expect(() => read({ monitorUCID: '1', StartTime: 'soon' })).toThrow(expect.objectContaining({ reason: 'INVALID_INPUT' }))
    expect(read({ monitorUCID: '1'.repeat(30) })).toHaveLength(1)
  })

  test('refuses live events of another account, and ignores unknown kinds', async () => {
    await using world = await createWorld('API_KEY')
    const read = (event: Readonly<Record<string, unknown>>) =>
      world.callbacks().read(JSON.stringify({ username: userName, data: {}, ...event }), 'application/json')
    expect(read({ eventType: 'Weather' })).toEqual([])
    expect(read({ eventType: 'Call', data: { action: 'constructor', monitor_ucid: '1' } })).toEqual([])
    expect(() => read({ eventType: 'Weather', username: 'somebody-else' })).toThrow(/not of this account/)
  })

  test('refuses the end of a call without its key', async () => {
    await using world = await createWorld('API_KEY')
    const read = (data: string) => world.callbacks().read(new URLSearchParams({ data }).toString(), 'application/x-www-form-urlencoded')
    const call = '"monitorUCID":31795211882000007,"StartTime":"2025-01-15 14:30:00"'
    expect(read(`{${call},"Apikey":"${apiKey}"}`)).toHaveLength(1)
    for (const key of ['', ',"Apikey":""', ',"Apikey":null', ',"Apikey":["x"]', `,"Apikey":"${apiKey} "`])
      expect(() => read(`{${call}${key}}`)).toThrow(/not of this account/)
  })

  test('sends the time of a scheduled callback in India Standard Time', async () => {
    await using world = await createWorld('API_KEY')
    const telephony = world.open()
    const { ucid, did } = world.provider.inboundCall({ from: '+919876543210', agentId: first.id })
    await telephony.recordDisposition({
      ucid,
      did,
      agentId: first.id,
      disposition: 'Call Back Later',
      callBackAt: '2025-01-20T20:15:00.000Z',
    })
    expect(world.provider.call({ ucid }).callBackTime).toBe('2025-01-21 01:45')
  })
})

describe('the access token of Ozonetel', () => {
  const mints = (world: World): number => world.provider.calls('generateToken').length
  const anything = (telephony: Telephony): Promise<unknown> => telephony.missedCalls()

  test('is requested once for many concurrent instances, and cached for 10 minutes', async () => {
    await using world = await createWorld('TOKEN')
    await Promise.all(Array.from({ length: 20 }, () => anything(world.open())))
    expect(mints(world)).toBe(1)
    world.clock.advance(9 * 60_000)
    await anything(world.open())
    expect(mints(world)).toBe(1)
    world.clock.advance(61_000)
    await anything(world.open())
    expect(mints(world)).toBe(2)
  })

  test('is replaced at each sign-in', async () => {
    await using world = await createWorld('TOKEN')
    await anything(world.open())
    await world.open().signIn(agent)
    expect(mints(world)).toBe(2)
    await anything(world.open())
    expect(mints(world)).toBe(2)
  })

  test('is shared by all agents who sign in while it is requested', async () => {
    await using world = await createWorld('TOKEN')
    world.provider.fault({ operation: 'generateToken', delayMs: 100 })
    await Promise.all([world.open().signIn(agent), world.open().signIn(otherAgent), anything(world.open())])
    expect(mints(world)).toBe(1)
  })

  test.each([401, 200] as const)('is dropped when refused with HTTP %s, and the call is made once more', async (refusalStatus) => {
    await using world = await createWorld('TOKEN')
    world.provider.accountMode({ refusalStatus })
    await anything(world.open())
    world.provider.expireToken()
    world.provider.forgetCalls()
    expect(await anything(world.open())).toEqual([])
    expect(world.provider.calls('abandonCalls')).toHaveLength(2)
    expect(mints(world)).toBe(1)
  })

  const html = { body: '<html><h1>401 Authorization Required</h1></html>', contentType: 'text/html' }
  test.each([
    ['an empty 401', { status: 401 }],
    ['a 401 of a gateway', { status: 401, ...html }],
    ['a 401 about the account', { status: 401, body: '{"status":"false","message":"Invalid User Details","data":null}' }],
    ['a 401 in other words', { status: 401, body: '{"error":"unauthorized"}' }],
    ['a 200 about the account', { status: 200, body: '{"status":"false","message":"Invalid User Details","data":null}' }],
    ['a 200 about the token', { status: 200, body: '{"status":"false","message":"Token Expired","data":null}' }],
  ] as const)('%s replaces the token, and the call is made once more', async (_name, answer) => {
    await using world = await createWorld('TOKEN')
    await world.open().signIn(agent)
    await world.open().setState({ agentId: first.id, state: 'READY' })
    world.provider.forgetCalls()
    world.provider.fault({ operation: 'AgentManualDial', act: 'refuse', times: 1, ...answer })
    const dialled = world.open().dial({ agentId: first.id, phoneNumber: '+919876543210', campaignName: campaigns[0].name })
    expect(await dialled).toMatchObject({ ucid: expect.any(String) as unknown })
    const tokens = world.provider.calls('AgentManualDial').map(({ headers }) => headers.authorization)
    expect(new Set(tokens).size).toBe(2)
    expect([tokens.length, mints(world)]).toEqual([2, 1])
  })

  test('is not replaced twice: a second refusal is an error of the account, and many stay within ten tokens an hour', async () => {
    await using world = await createWorld('TOKEN')
    await anything(world.open())
    world.provider.forgetCalls()
    world.provider.fault({ operation: 'abandonCalls', act: 'refuse', status: 401, ...html })
    const refused = async () => expect(anything(world.open())).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
    await refused()
    expect([world.provider.calls('abandonCalls').length, mints(world)]).toEqual([2, 1])
    for (let minute = 0; minute < 60; minute += 1) {
      await Promise.all([refused(), refused(), refused()])
      world.clock.advance(60_000)
    }
    expect(mints(world)).toBeLessThanOrEqual(10)
    // The newest token is valid as soon as the provider accepts it.
    world.provider.clearFaults()
    expect(await anything(world.open())).toEqual([])
  })

  test('is spared at sign-ins, so that the tokens of an hour last for the hour', async () => {
    await using world = await createWorld('TOKEN')
    for (let signIns = 0; signIns < 15; signIns += 1) await world.open().signIn(agent)
    expect(mints(world)).toBe(4)
    for (let minutes = 0; minutes < 60; minutes += 5) {
      world.clock.advance(5 * 60_000)
      expect(await anything(world.open())).toEqual([])
    }
  })

  test('needs one more request, but no new token, if another instance has replaced it', async () => {
    await using world = await createWorld('TOKEN')
    world.provider.fault({ operation: 'abandonCalls', delayMs: 200, times: 1 })
    const slow = anything(world.open())
    await expect.poll(() => world.provider.calls('abandonCalls').length).toBe(1)
    await world.open().signIn(agent)
    expect(await slow).toEqual([])
    expect(mints(world)).toBe(2)
  })

  test('may be replaced by a sign-in at the moment when a refused one was replaced', async () => {
    await using world = await createWorld('TOKEN')
    const { provider, store } = world
    await anything(world.open())
    provider.expireToken()
    provider.forgetCalls()
    const release = store.compareAndDelete.bind(store)
    const signIns: Promise<unknown>[] = []
    const answers: (() => void)[] = []
    Object.assign(store, {
      // The new token is cached, and is not used yet.
      compareAndDelete: async (...[key, version]: Parameters<Store['compareAndDelete']>) => {
        const isReleased = await release(key, version)
        if (signIns.length > 0 || !key.startsWith('telephony-token-lease:')) return isReleased
        answers.push(provider.holdAnswers('generateToken'))
        signIns.push(world.open().signIn(agent))
        await expect.poll(() => mints(world)).toBe(2)
        return isReleased
      },
    })
    const sendWhenRefusedAgain = async (): Promise<void> => {
      await expect.poll(() => provider.calls('abandonCalls').length).toBe(2)
      for (const send of answers) send()
    }
    expect(await Promise.all([anything(world.open()), sendWhenRefusedAgain()])).toEqual([[], undefined])
    await Promise.all(signIns)
    expect([provider.calls('abandonCalls').length, mints(world)]).toEqual([3, 2])
  })

  test('is used while it is valid if the provider issues no new one, and sign-in works', async () => {
    await using world = await createWorld('TOKEN', { mintsPerHour: 1 })
    await anything(world.open())
    expect(await world.open().signIn(agent)).toEqual({ alreadySignedIn: false })
    expect(await anything(world.open())).toEqual([])
    expect(mints(world)).toBe(2)
    await world.open().signIn(otherAgent)
    expect(mints(world)).toBe(2)
  })

  test('reports when to retry if the provider issues none', async () => {
    await using world = await createWorld('TOKEN', { mintsPerHour: 0 })
    const error: unknown = await anything(world.open()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ reason: 'PROVIDER_UNAVAILABLE', data: { retryAfterSeconds: 60 } })
    expect(mints(world)).toBe(1)
  })

  test('is not cached beyond its expiry', async () => {
    await using world = await createWorld('TOKEN', { tokenLifetimeMs: 5 * 60_000 })
    await anything(world.open())
    world.clock.advance(4 * 60_000 + 31_000)
    world.provider.forgetCalls()
    await anything(world.open())
    expect(mints(world)).toBe(1)
    expect(world.provider.calls('abandonCalls')).toHaveLength(1)
  })

  test('is not in the store as plain text', async () => {
    await using world = await createWorld('TOKEN')
    const kept: string[] = []
    const set = world.store.set.bind(world.store)
    Object.assign(world.store, {
      set: (...[key, value, options]: Parameters<Store['set']>) => (kept.push(value), set(key, value, options)),
    })
    await anything(world.open())
    const [call] = world.provider.calls('abandonCalls')
    const token = String(call?.headers.authorization).replace('Bearer ', '')
    expect(token.length).toBeGreaterThan(20)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.join()).not.toContain(token)
    expect(kept.join()).not.toContain(apiKey)
  })

  test('is an error of the account if its key is wrong', async () => {
    await using world = await createWorld('TOKEN')
    await expect(anything(world.open({ apiKey: 'wrong-key' }))).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  })
})
