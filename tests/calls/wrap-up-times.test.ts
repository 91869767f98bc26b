import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCall } from '../../src/features/calls/state/call-state-store.ts'
import { trackUpdate } from '../../src/features/calls/tracking/track-update.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { bareNumber, clockDuration, indiaTime, wireJson } from '../../src/sandbox/telephony/wire.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'

const account = telephonyAccounts.demo
let desk: CallsDesk
let stories = 0
beforeAll(async () => void (desk = await createCallsDesk()))
afterAll(() => desk[Symbol.asyncDispose]())

type Webhook = { readonly body: string; readonly contentType: string }
const begin = Math.floor(Date.now() / 1000) * 1000 - 7_200_000
const momentAt = (second: number): string => indiaTime(begin + second * 1000)

/** Seconds since the beginning of the story. `free`: when the agent was ready again; null if the provider never reports it. */
type Times = { readonly start: number; readonly answer: number; readonly end: number; readonly free: number | null }

type AgentsCall = { readonly ucid: string; readonly agentId: string }

function liveEvent({ ucid, agentId }: AgentsCall, action: string, second: number): Webhook {
  const data = {
    action,
    call_type: 'inbound',
    ucid: bareNumber(ucid),
    monitor_ucid: bareNumber(ucid),
    agent_id: agentId,
    caller_id: '09812345670',
    did: account.campaigns[0].did.slice(1),
    event_time: momentAt(second),
  }
  return json({ eventType: 'Call', eventTime: momentAt(second), username: account.userName, data })
}

function agentEvent(agentId: string, action: string, second: number): Webhook {
  const data = { action, agentUniqeId: 1, agentId, agentMode: 'INBOUND', eventTime: momentAt(second) }
  return json({ eventType: 'Agent', eventTime: momentAt(second), username: account.userName, data })
}

function endOfCall({ ucid, agentId }: AgentsCall, { start, answer, end }: Times): Webhook {
  const data = {
    monitorUCID: bareNumber(ucid),
    Did: account.campaigns[0].did.slice(1),
    CampaignName: account.campaigns[0].name,
    CallerID: '09812345670',
    StartTime: momentAt(start),
    EndTime: momentAt(end),
    TimeToAnswer: clockDuration((answer - start) * 1000),
    Duration: clockDuration((end - answer) * 1000),
    Type: 'InBound',
    AgentID: agentId,
    Disposition: 'None',
    Status: 'Answered',
    AudioFile: '',
    Comments: '',
    Apikey: account.apiKey,
  }
  return { contentType: 'application/x-www-form-urlencoded', body: new URLSearchParams({ data: wireJson(data) }).toString() }
}

function json(body: unknown): Webhook {
  return { contentType: 'application/json', body: wireJson(body) }
}

/** Every webhook of one call, in the true order. */
function webhooksOf(call: AgentsCall, times: Times): readonly Webhook[] {
  const { agentId } = call
  const { start, answer, end, free } = times
  return [
    liveEvent(call, 'Calling', start),
    agentEvent(agentId, 'calling', start),
    liveEvent(call, 'Answered', answer),
    agentEvent(agentId, 'incall', answer),
    liveEvent(call, 'Disconnect', end),
    agentEvent(agentId, 'ACW', end),
    ...(free === null ? [] : [agentEvent(agentId, 'release', free), agentEvent(agentId, 'IDLE', free)]),
    endOfCall(call, times),
  ]
}

/** Plays webhooks of calls of one new agent; returns the wrap-ups. */
async function play(calls: readonly Times[], orderOf: (all: readonly Webhook[]) => readonly Webhook[]): Promise<(number | null)[]> {
  stories += 1
  const agentId = `wrap${stories}`
  const ucids = calls.map((_, index) => `7${String(stories).padStart(8, '0')}${index}`)
  const all = calls.flatMap((times, index) => webhooksOf({ ucid: ucids[index] ?? '', agentId }, times))
  const webhooks = await desk.callPorts.telephonyWebhooksOf({ workspaceId: desk.workspaceId, provider: 'ozonetel' })
  let receivedAt = Date.now()
  for (const { body, contentType } of orderOf(all)) {
    receivedAt += 1
    for (const update of webhooks.read(body, contentType)) {
      await trackUpdate(desk.callPorts, { workspaceId: desk.workspaceId, provider: 'ozonetel', receivedAt, update })
    }
  }
  const known = await Promise.all(ucids.map((ucid) => readCall(desk.callPorts, { workspaceId: desk.workspaceId, ucid })))
  return known.map((call) => call?.wrapUpSeconds ?? null)
}

const first: Times = { start: 0, answer: 10, end: 100, free: 130 }
const second: Times = { start: 200, answer: 220, end: 300, free: 345 }
/** Rings in the queue while the agent is on the second call. */
const queued: Times = { start: 280, answer: 350, end: 400, free: 412 }

test('every order of the webhooks that decide a wrap-up gives the same one', async () => {
  const orders = permutations([0, 2, 4, 7, 8])
  for (const order of orders) {
    const [wrapUp] = await play([first], (all) => order.flatMap((index) => all.slice(index, index + 1)))
    expect(wrapUp, order.join(' ')).toBe(30)
  }
  expect(orders).toHaveLength(120)
})

test('webhooks of several calls in any order, some of them twice, give each call its own wrap-up', async () => {
  const count = 9
  const orders = fc
    .shuffledSubarray([...Array(3 * count).keys()], { minLength: 3 * count })
    .chain((order) => fc.tuple(fc.constant(order), fc.subarray(order)))
  await fc.assert(
    fc.asyncProperty(orders, async ([order, again]) => {
      const inOrder = (all: readonly Webhook[]) => [...order, ...again].flatMap((index) => all.slice(index, index + 1))
      expect(await play([first, second, queued], inOrder)).toEqual([30, 45, 12])
    }),
    { numRuns: 60 },
  )
})

test('a wrap-up whose end nobody reported is unknown, whatever the calls around it report', async () => {
  const lost = { ...second, free: null }
  const inOrder = await play([first, lost, { ...queued, start: 340 }], (all) => all)
  const backwards = await play([first, lost, { ...queued, start: 340 }], (all) => all.toReversed())
  const lastFirst = await play([first, lost, { ...queued, start: 340 }], (all) => [...all.slice(-1), ...all.slice(0, -1)])
  expect([inOrder, backwards, lastFirst]).toEqual([
    [30, null, 12],
    [30, null, 12],
    [30, null, 12],
  ])
})

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length === 0) return [[]]
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))
}
