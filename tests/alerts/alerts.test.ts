import { setImmediate as nextRound } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Actor } from '../../src/access/actor.ts'
import { acknowledgeAlert } from '../../src/features/alerts/acknowledge-alert.ts'
import { type AlertOutbox, createAlertOutbox } from '../../src/features/alerts/alert-outbox.ts'
import { storeAlert } from '../../src/features/alerts/alert-store.ts'
import { evaluateAlerts } from '../../src/features/alerts/evaluate-alerts.ts'
import { listAlerts } from '../../src/features/alerts/list-alerts.ts'
import { openSince } from '../../src/features/alerts/open-hours.ts'
import { testAlertWebhook } from '../../src/features/alerts/test-alert-webhook.ts'
import { addAgentActivity } from '../../src/features/calls/agent-state/agent-state-store.ts'
import { addMissedCall, removeMissedCall } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { listDeadLetters } from '../../src/features/events/list-dead-letters.ts'
import { replayDeadLetters } from '../../src/features/events/replay-all-dead-letters.ts'
import { scheduleCheck } from '../../src/features/sessions/session-checks.ts'
import type { Verdict } from '../../src/kernel/breakers.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { AgentState } from '../../src/ports/agent-activity.ts'
import { type AlertsSection, alertsSection, weekdays } from '../../src/ports/configuration/alerts.ts'
import type { Configuration } from '../../src/ports/configuration/configuration.ts'
import { createAlertReceiver } from '../../src/providers/alert-webhooks/alert-receiver.ts'
import { createFigures } from '../../src/ports/figures.ts'
import type { Ports } from '../../src/ports/ports.ts'
import type { Store } from '../../src/ports/store.ts'
import { alertSecret } from '../../src/sandbox/alerts/alert-receiver.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { failingStore } from '../harness/failing-store.ts'
import { waitFor } from '../harness/wait-for.ts'
import { isFromService } from './verify-alert.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'

const minuteMs = 60_000
let desk: WiredDesk
let manager: Actor
let agent: Actor
let section: AlertsSection
let isFailing: boolean
let isSignedIn: boolean
let alertOutbox: AlertOutbox
let calls: string[]
beforeAll(async () => {
  desk = await createWiredDesk()
  manager = await desk.signIn('manager@demo.example')
  agent = await desk.signIn('agent1@demo.example')
})
afterAll(() => desk[Symbol.asyncDispose]())
beforeEach(async () => {
  set({})
  isFailing = false
  isSignedIn = false
  calls = []
  alertOutbox = createAlertOutbox(ports())
  alertOutbox.start()
  await desk.auth.store.delete(`alert-state:${desk.workspaceId}`)
})
afterEach(async () => {
  desk.standIns.alerts.clearFaults()
  await drained()
  await alertOutbox.stop()
  for (const ucid of calls) await removeMissedCall(ports(), { workspaceId: desk.workspaceId, ucid })
})

/** The thresholds, with the receiver of the sandbox. */
function set(thresholds: Partial<AlertsSection>): void {
  const webhook = { url: `${desk.standIns.alerts.url}/alerts`, secret: alertSecret }
  section = { ...alertsSection.parse({ webhook }), ...thresholds }
}

function ports() {
  const configuration: Configuration = {
    async read(workspaceId, name) {
      const values = await desk.auth.configuration.read(workspaceId, name)
      return 'openHours' in values ? { ...values, ...section } : values
    },
  }
  const breakers = { verdicts: () => (isFailing ? [verdictOf({ works: false, at: desk.clock.now() })] : []) }
  // Without the pauses of its breaker, which are real time.
  const { dispatcher } = desk.ports.addressGuard
  const alertReceiver: Ports['alertReceiver'] = (address) => createAlertReceiver(address, { ...desk.auth, dispatcher })
  return { ...desk.auth, alertReceiver, configuration, alertOutbox, breakers, servedWorkspaces: { workspaces: ['demo'] } }
}

/** `at`: the last call that has shown it. */
function verdictOf({ works, at, key = 'account' }: { works: boolean; at: number; key?: string }): Verdict {
  const provider = { party: 'telephony', who: 'The telephony provider', workspaceId: desk.workspaceId }
  return { ...provider, key, works, agoMs: desk.clock.now() - at }
}

/** The outbox has the clock of the test: a try that failed comes again when it is moved. */
const drained = () =>
  waitFor(async () => {
    desk.clock.advance(1_000)
    return ((await desk.auth.outbox.depth()).receivers['alert-webhooks']?.events ?? 0) === 0
  })
/** `changed`: what is different in this run. */
const evaluate = (changed: Partial<ReturnType<typeof ports>> = {}) => {
  desk.clock.advance(2_000)
  return evaluateAlerts({ ...ports(), ...changed })
}
const pass = async (minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    desk.clock.advance(minuteMs)
    // As a heartbeat: a session without one ends.
    if (isSignedIn) await desk.beginSession(agent, 'agent1')
    await evaluate()
  }
}
const list = async (activeOnly: boolean) => (await listAlerts(desk.auth, manager, { first: 200, activeOnly })).nodes
const active = () => list(true)
const received = (id: string) => desk.standIns.alerts.received().filter(({ data }) => data?.id === id)

async function missCall(): Promise<void> {
  const ucid = `9${calls.length}${desk.clock.now()}`
  calls.push(ucid)
  const facts = { phoneNumber: null, did: null, campaignName: null, leadId: null, at: isoMoment(desk.clock.now()) }
  await addMissedCall(ports(), desk.workspaceId, { ucid, ...facts })
}

async function answerAll(): Promise<void> {
  for (const ucid of calls) await removeMissedCall(ports(), { workspaceId: desk.workspaceId, ucid })
}

async function agentIs(state: AgentState): Promise<void> {
  const now = desk.clock.now()
  const key = { workspaceId: desk.workspaceId, agentId: 'agent1' }
  await addAgentActivity(ports(), key, { state, reason: null, since: isoMoment(now), receivedAt: now })
}

async function signedIn(state: AgentState): Promise<void> {
  isSignedIn = true
  const key = { workspaceId: desk.workspaceId, providerAgentId: 'agent1' }
  await scheduleCheck(desk.auth.store, key, desk.clock.now())
  await desk.beginSession(agent, 'agent1')
  desk.clock.advance(1_000)
  await agentIs(state)
}

const webhookCame = () =>
  desk.auth.store.set(
    `webhook-log-last:${desk.workspaceId}:ozonetel`,
    JSON.stringify({ receivedAt: desk.clock.now(), handledAt: desk.clock.now() }),
  )

type Case = {
  readonly threshold: Partial<AlertsSection>
  begin(): Promise<unknown>
  end(): Promise<unknown>
  readonly subject: string | null
}
const cases: readonly (readonly [string, Case])[] = [
  [
    'MISSED_CALLS_WAITING',
    { threshold: { waitingMissedCalls: 2 }, begin: async () => [await missCall(), await missCall()], end: answerAll, subject: null },
  ],
  [
    'LONGEST_WAIT',
    { threshold: { longestWaitMinutes: 3 }, begin: async () => [await missCall(), await pass(3)], end: answerAll, subject: null },
  ],
  [
    'WRAP_UP',
    {
      threshold: { wrapUpMinutes: 3 },
      begin: async () => [await signedIn('WRAP_UP'), await pass(3)],
      end: () => agentIs('READY'),
      subject: 'r1',
    },
  ],
  [
    'NO_AGENT_READY',
    {
      threshold: { noAgentReadyMinutes: 3 },
      begin: async () => [await signedIn('NOT_READY'), await pass(4)],
      end: () => agentIs('READY'),
      subject: null,
    },
  ],
  [
    'PROVIDER_FAILING',
    {
      threshold: { providerFailingMinutes: 2 },
      begin: async () => [(isFailing = true), await pass(3)],
      end: async () => (isFailing = false),
      subject: 'telephony',
    },
  ],
  [
    'WEBHOOKS_SILENT',
    {
      threshold: { webhooksSilentMinutes: 5 },
      begin: async () => [await webhookCame(), await pass(6)],
      end: webhookCame,
      subject: 'ozonetel',
    },
  ],
]

test.each(cases)('%s is raised once and cleared once, and sent so', async (kind, each) => {
  const { subject } = each
  set(each.threshold)
  await evaluate()
  expect(await active()).toEqual([])
  await each.begin()
  // Two instances evaluate at the same time, again and again.
  await Promise.all([evaluate(), evaluate()])
  const [alert] = await active()
  expect(await active()).toMatchObject([{ kind, subject: subject === null ? null : { id: subject }, clearedAt: null }])
  const id = alert?.id ?? ''
  await waitFor(() => received(id).length === 1)
  if (kind === 'WEBHOOKS_SILENT' || kind === 'PROVIDER_FAILING') await pass(1)
  expect(await active()).toHaveLength(1)
  await each.end()
  // What an instance has noted about a party is fresh for some seconds.
  desk.clock.advance(16_000)
  await evaluate()
  // Not over for a minute yet.
  expect(await active()).toMatchObject([{ id }])
  await pass(1)
  await Promise.all([evaluate(), evaluate()])
  expect(await active()).toEqual([])
  await waitFor(() => received(id).length === 2)
  expect(received(id).map(({ type }) => type)).toEqual(['alert.raised', 'alert.cleared'])
  expect((await list(false)).filter((one) => one.kind === kind)).toHaveLength(1)
})

test('a receiver that checks as the documentation shows accepts what was sent, and nothing else', async () => {
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate()
  const id = (await active())[0]?.id ?? ''
  const { alerts } = desk.standIns
  await waitFor(() => received(id).length === 1)
  const sent = alerts.calls().find(({ body }) => body.includes(id)) ?? { headers: {}, body: '' }
  const now = desk.clock.now()
  expect(isFromService(sent, alertSecret, now)).toBe(true)
  expect(isFromService({ ...sent, body: sent.body.replace('raised', 'cleared') }, alertSecret, now)).toBe(false)
  expect(isFromService({ ...sent, headers: { ...sent.headers, 'webhook-id': 'another' } }, alertSecret, now)).toBe(false)
  expect(isFromService({ ...sent, headers: {} }, alertSecret, now)).toBe(false)
  expect(isFromService(sent, `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`, now)).toBe(false)
  expect(isFromService(sent, alertSecret, now + 301_000)).toBe(false)
  expect(isFromService(sent, alertSecret)).toBe(false)
})

test('a threshold that is reached again within a minute is the same alert, later it is another', async () => {
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate()
  const [first] = await active()
  await answerAll()
  await evaluate()
  desk.clock.advance(minuteMs - 1)
  await missCall()
  await pass(2)
  expect((await active()).map(({ id }) => id)).toEqual([first?.id])
  await answerAll()
  await pass(2)
  expect(await active()).toEqual([])
  await missCall()
  await evaluate()
  const [second] = await active()
  expect([second === undefined, second?.id === first?.id]).toEqual([false, false])
  // A threshold that is switched off clears its alert.
  set({})
  await pass(2)
  expect(await active()).toEqual([])
})

test('a pause of the service raises nothing that it did not see, and an alert of before goes on', async () => {
  set({ waitingMissedCalls: 1, webhooksSilentMinutes: 10, noAgentReadyMinutes: 5 })
  await webhookCame()
  await signedIn('NOT_READY')
  await missCall()
  await pass(1)
  const kinds = async () => (await active()).map(({ kind }) => kind)
  expect(await kinds()).toEqual(['MISSED_CALLS_WAITING'])
  desk.clock.advance(60 * minuteMs)
  await evaluate()
  expect(await kinds()).toEqual(['MISSED_CALLS_WAITING'])
  await pass(5)
  expect((await kinds()).toSorted((a, b) => a.localeCompare(b))).toEqual(['MISSED_CALLS_WAITING', 'NO_AGENT_READY'])
  await pass(5)
  expect(await kinds()).toHaveLength(3)
})

const full: AlertOutbox = { add: () => Promise.reject(new AppError('OVERLOADED')), start: () => {}, stop: async () => {} }
const messages = (id: string) => received(id).map(({ type, data }) => [type, data?.raisedAt, data?.value])

test('an alert whose raising was cut short says the same in the next run, although it is over, and is cleared', async () => {
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate({ alertOutbox: full })
  const [alert] = await active()
  const { id, raisedAt } = alert ?? { id: '', raisedAt: '' }
  await missCall()
  await answerAll()
  await pass(1)
  await waitFor(() => received(id).length === 1)
  await pass(2)
  expect(await active()).toEqual([])
  await waitFor(() => received(id).length === 2)
  expect(messages(id)).toEqual([
    ['alert.raised', raisedAt, 1],
    ['alert.cleared', raisedAt, 1],
  ])
})

test('an alert that was published, but not noted as published, is published once', async () => {
  set({ waitingMissedCalls: 1 })
  await missCall()
  let writes = 0
  const compareAndSet: Store['compareAndSet'] = (key, change) => {
    writes += key.startsWith('alert-state:') ? 1 : 0
    return writes === 1 ? Promise.reject(new AppError('STORE_UNAVAILABLE')) : desk.auth.store.compareAndSet(key, change)
  }
  await evaluate({ store: { ...desk.auth.store, compareAndSet } })
  expect(writes).toBe(1)
  const [alert] = await active()
  await pass(2)
  expect((await active()).map(({ id }) => id)).toEqual([alert?.id])
  await drained()
  expect(received(alert?.id ?? '').map(({ type }) => type)).toEqual(['alert.raised'])
})

test('a threshold that is reached again before the end of its alert could be published is another alert', async () => {
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate()
  const [first] = await active()
  await answerAll()
  await pass(1)
  desk.clock.advance(minuteMs)
  await evaluate({ alertOutbox: full })
  expect(await active()).toEqual([])
  await missCall()
  await pass(2)
  const [second, ...others] = await active()
  expect([second === undefined, second?.id === first?.id, others]).toEqual([false, false, []])
  await drained()
  expect(received(first?.id ?? '').map(({ type }) => type)).toEqual(['alert.raised', 'alert.cleared'])
  expect(received(second?.id ?? '').map(({ type }) => type)).toEqual(['alert.raised'])
})

test('what another version of the service has stored in another form stops no alert, and hides none', async () => {
  set({ waitingMissedCalls: 1, providerFailingMinutes: 1 })
  await missCall()
  await evaluate()
  const [alert] = await active()
  const { workspaceId } = desk
  const { store } = desk.auth
  const key = `alert-state:${workspaceId}`
  const stateSchema = z.looseObject({ conditions: z.record(z.string(), z.unknown()) })
  const { conditions, ...state } = stateSchema.parse(JSON.parse((await store.get(key)) ?? ''))
  const changed = { ...state, conditions: { ...conditions, QUEUE_FULL: { since: '2026-01-01' } } }
  await store.set(key, JSON.stringify(changed), { ttlMs: 86_400_000 })
  await store.set(`alert:${workspaceId}:of-tomorrow`, '{"kind":"QUEUE_FULL"}', { ttlMs: 86_400_000 })
  await store.sortedAdd(`alerts:${workspaceId}`, 'of-tomorrow', desk.clock.now())
  await store.sortedAdd('alerts-failing:all', '{"party":"platform"}', desk.clock.now())
  expect((await list(false)).map(({ id }) => id)).toContain(alert?.id)
  await evaluate()
  expect([...desk.auth.figures.alertFailures]).toEqual([])
  expect((await active()).map(({ id }) => id)).toEqual([alert?.id])
  await answerAll()
  await pass(2)
  expect(await active()).toEqual([])
  await drained()
  expect(received(alert?.id ?? '').map(({ type }) => type)).toEqual(['alert.raised', 'alert.cleared'])
})

test('an alert is queued after it was reported, and the evaluation ends then; a store that cannot note who fails ends it too', async () => {
  set({ waitingMissedCalls: 1, providerFailingMinutes: 60 })
  await missCall()
  const done: string[] = []
  const { notifications } = ports()
  let isAway = true
  const watched = {
    notifications: {
      ...notifications,
      async publish(notification: Parameters<typeof notifications.publish>[0]) {
        if (isAway) throw new AppError('STORE_UNAVAILABLE')
        await notifications.publish(notification)
        done.push('reported')
      },
    },
    alertOutbox: {
      ...alertOutbox,
      async add(...given: Parameters<AlertOutbox['add']>) {
        for (let rounds = 0; rounds < 50; rounds += 1) await nextRound()
        await alertOutbox.add(...given)
        done.push('queued')
      },
    },
  }
  await evaluate(watched)
  expect(done).toEqual([])
  isAway = false
  await evaluate(watched)
  expect([done, (await active()).map(({ kind }) => kind)]).toEqual([['reported', 'queued'], ['MISSED_CALLS_WAITING']])
  isFailing = true
  const store = failingStore(desk.auth.store, (key) => key.startsWith('alerts-failing'))
  await expect(evaluate({ store })).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
})

test('an alert that cannot be published does not delay the others', async () => {
  set({ waitingMissedCalls: 1, longestWaitMinutes: 1 })
  await missCall()
  desk.clock.advance(minuteMs)
  const add: AlertOutbox['add'] = (workspaceId, alert) =>
    (alert.kind === 'MISSED_CALLS_WAITING' ? full : alertOutbox).add(workspaceId, alert)
  await evaluate({ alertOutbox: { ...alertOutbox, add } })
  const other = (await active()).find(({ kind }) => kind === 'LONGEST_WAIT')
  await waitFor(() => received(other?.id ?? '').length === 1)
  await drained()
  expect(received(other?.id ?? '').map(({ data }) => data?.kind)).toEqual(['LONGEST_WAIT'])
})

test('a threshold that cannot be checked hides none of the others, and its alert stays', async () => {
  set({ waitingMissedCalls: 1, wrapUpMinutes: 1 })
  isSignedIn = true
  await agentIs('WRAP_UP')
  await pass(2)
  const before = await active()
  expect(before.map(({ kind }) => kind)).toEqual(['WRAP_UP'])
  await missCall()
  const figures = createFigures()
  const store = failingStore(desk.auth.store, (key) => key.startsWith('agents-reported'))
  for (let run = 0; run < 40; run += 1) await evaluate({ store, figures })
  expect([...figures.alertFailures]).toEqual([['demo', 'STORE_UNAVAILABLE']])
  expect((await active()).map(({ kind }) => kind).toSorted()).toEqual(['MISSED_CALLS_WAITING', 'WRAP_UP'])
  await agentIs('READY')
})

test('a condition does not age while nobody can check it', async () => {
  set({ noAgentReadyMinutes: 5 })
  await pass(3)
  const store = failingStore(desk.auth.store, (key) => key.startsWith('agents-reported'))
  for (let minute = 0; minute < 4; minute += 1) {
    desk.clock.advance(minuteMs)
    await evaluate({ store })
  }
  await pass(2)
  expect(await active()).toEqual([])
  await pass(5)
  expect((await active()).map(({ kind }) => kind)).toEqual(['NO_AGENT_READY'])
})

test('alerts that cannot be evaluated or published are logged once for each reason, and counted', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line), onLost: () => {} })
  const figures = createFigures()
  const unread = (reason: ErrorReason) => ({ configuration: { read: () => Promise.reject(new AppError(reason)) } })
  for (let run = 0; run < 3; run += 1) await evaluate({ log, figures, ...unread('NOT_CONFIGURED') })
  expect([...figures.alertFailures]).toEqual([['demo', 'NOT_CONFIGURED']])
  set({ waitingMissedCalls: 1 })
  await missCall()
  for (let run = 0; run < 3; run += 1) await evaluate({ log, figures, alertOutbox: full })
  // The health of the service shows that.
  await evaluate({ log, figures, ...unread('STORE_UNAVAILABLE') })
  expect(figures.alertFailures.size).toBe(1)
  await evaluate({ log, figures })
  expect(figures.alertFailures.size).toBe(0)
  expect([...figures.alerts]).toEqual([['MISSED_CALLS_WAITING', { raised: 1, cleared: 0 }]])
  const logged = lines.map((line) => z.object({ msg: z.string(), reason: z.string().optional() }).parse(JSON.parse(line)))
  expect(logged.map(({ msg, reason }) => [msg, reason])).toEqual([
    ['alert.not-evaluated', 'NOT_CONFIGURED'],
    ['alert.raised', undefined],
    ['alert.not-evaluated', 'OVERLOADED'],
  ])
})

test('of several instances one evaluates a workspace, and the others read nothing but what it stored', async () => {
  set({ waitingMissedCalls: 5, wrapUpMinutes: 5 })
  for (let call = 0; call < 3; call += 1) await missCall()
  const steps: string[] = []
  const store = new Proxy(desk.auth.store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...args: readonly unknown[]): unknown => {
        steps.push([String(name), args[0], JSON.stringify(args[1])].join(' '))
        return Reflect.apply(method, target, args)
      }
    },
  })
  await evaluate({ store })
  // However many calls wait, they are counted, and one is read.
  const list = `missed-calls-waiting:${desk.workspaceId}`
  expect(steps.filter((step) => step.includes(list))).toEqual([`sortedCount ${list} `, `sortedRange ${list} {"limit":1}`])
  steps.length = 0
  desk.clock.advance(1_000)
  await evaluateAlerts({ ...ports(), store })
  expect(steps).toEqual([`get alert-state:${desk.workspaceId} `])
})

test('eight workspaces are evaluated at once, and all of them', async () => {
  const asked: string[] = []
  let running = 0
  let most = 0
  const idOf = async (subdomain: string): Promise<null> => {
    asked.push(subdomain)
    running += 1
    most = Math.max(most, running)
    await nextRound()
    running -= 1
    return null
  }
  const workspaces = Array.from({ length: 20 }, (_, at) => `clinic-${at}`)
  await evaluate({ workspaces: { ...desk.auth.workspaces, idOf }, servedWorkspaces: { workspaces } })
  expect([asked.toSorted(), most]).toEqual([workspaces.toSorted(), 8])
})

test('an instance that resumes late does not make an alert active that is over', async () => {
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate()
  const [alert] = await active()
  await answerAll()
  await pass(2)
  if (!alert) throw new Error('no alert was raised')
  const { acknowledgedAt: _at, acknowledgedBy: _by, ...facts } = alert
  expect(await storeAlert(desk.auth, desk.workspaceId, facts)).toEqual({ isNew: false })
  expect((await list(false)).find(({ id }) => id === facts.id)?.clearedAt).not.toBeNull()
  expect(await active()).toEqual([])
})

test('opening hours that adjoin are one, also over midnight', () => {
  const zone = 'Asia/Kolkata'
  const at = (moment: string): number => Date.parse(`${moment}+05:30`)
  const parts = [
    { days: [...weekdays], from: '13:00', to: '24:00' },
    { days: weekdays.slice(1), from: '00:00', to: '02:00' },
    { days: [...weekdays], from: '09:00', to: '13:00' },
  ]
  // 15 January 2025 is a Wednesday.
  expect(openSince(parts, at('2025-01-15T13:00:00'), zone)).toBe(at('2025-01-15T09:00:00'))
  expect(openSince(parts, at('2025-01-15T01:00:00'), zone)).toBe(at('2025-01-14T09:00:00'))
  expect(openSince(parts, at('2025-01-15T02:00:00'), zone)).toBeNull()
  expect(openSince([{ days: [...weekdays], from: '00:00', to: '24:00' }], at('2025-01-15T00:01:00'), zone)).toBe(0)
})

test('outside the opening hours neither silent webhooks nor missing agents are alerts', async () => {
  // The clinic's time zone is Asia/Kolkata.
  const hours = (from: string, to: string): AlertsSection['openHours'] => [{ days: ['MONDAY', 'WEDNESDAY'], from, to }]
  const at = (moment: string): number => Date.parse(moment)
  expect(openSince(hours('09:00', '18:00'), at('2025-01-15T03:29:59Z'), 'Asia/Kolkata')).toBeNull()
  expect(openSince(hours('09:00', '18:00'), at('2025-01-15T03:30:00Z'), 'Asia/Kolkata')).toBe(at('2025-01-15T03:30:00Z'))
  expect(openSince(hours('09:00', '18:00'), at('2025-01-15T12:30:00Z'), 'Asia/Kolkata')).toBeNull()
  expect(openSince(hours('00:00', '24:00'), at('2025-01-16T12:00:00Z'), 'Asia/Kolkata')).toBeNull()
  expect(openSince([], at('2025-01-16T12:00:00Z'), 'Asia/Kolkata')).toBe(0)
  const closed = alertsSection.parse({ openHours: [{ days: ['SUNDAY'], from: '00:00', to: '00:01' }] })
  set({ openHours: closed.openHours, webhooksSilentMinutes: 2, noAgentReadyMinutes: 2 })
  await pass(6)
  expect(await active()).toEqual([])
  expect(alertsSection.safeParse({ openHours: [{ days: ['SUNDAY'], from: '18:00', to: '09:00' }] }).success).toBe(false)
})

test('a receiver that is down gets an alert once when it is back, also if its answer was lost', async () => {
  const { alerts } = desk.standIns
  const before = alerts.repeated()
  alerts.fault({ act: 'refuse', status: 503, times: 1 })
  alerts.fault({ act: 'cutAfter', times: 1 })
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate()
  const [alert] = await active()
  const id = alert?.id ?? ''
  const tries = () => alerts.calls().filter(({ body }) => body.includes(id)).length
  // The outbox has the clock of the test: each try comes when it is moved.
  await waitFor(() => {
    desk.clock.advance(1_000)
    return tries() === 3
  })
  await drained()
  expect([received(id).length, alerts.repeated() - before]).toEqual([1, 1])
})

test('a receiver that never answers ends in dead letters, and a replay reaches it once it does', async () => {
  const { alerts } = desk.standIns
  alerts.fault({ act: 'cut' })
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate()
  const [alert] = await active()
  const id = alert?.id ?? ''
  await waitFor(() => alerts.calls().some(({ body }) => body.includes(id)))
  const own = { ...desk.auth, servedWorkspaces: { workspaces: ['demo', 'acme'] } }
  const deadLetters = async (actor: Actor) => (await listDeadLetters(own, actor, { first: 10 })).nodes
  await waitFor(async () => {
    desk.clock.advance(3_600_000)
    return (await deadLetters(manager)).length === 1
  })
  expect(await deadLetters(manager)).toMatchObject([
    { topic: 'alert.webhook', key: id, receiver: 'alert-webhooks', reason: 'NOT_DELIVERED' },
  ])
  expect(await deadLetters({ ...manager, principal: testPrincipal({ workspaceId: 'another' }) })).toEqual([])
  alerts.clearFaults()
  expect(await replayDeadLetters(own, manager)).toEqual({ replayed: 1, remaining: false })
  await waitFor(() => received(id).length === 1)
})

test('a receiver that does not answer five times is left alone for a while; receivers of other workspaces are not', async () => {
  const { alerts } = desk.standIns
  const { signal } = new AbortController()
  const send = (workspaceId: string): Promise<void> => {
    const body = JSON.stringify({ type: 'alert.test', timestamp: isoMoment(desk.clock.now()), data: null })
    const address = { workspaceId, url: `${alerts.url}/alerts`, secret: alertSecret }
    return desk.auth.alertReceiver(address).send({ id: workspaceId, body, signal })
  }
  alerts.fault({ act: 'cut', times: 5 })
  const before = alerts.calls().length
  for (let time = 0; time < 6; time += 1) await expect(send('one')).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(alerts.calls().length - before).toBe(5)
  await send('another')
  expect(alerts.calls().length - before).toBe(6)
  const results = desk.auth.figures.upstreamCalls.get('alert-receiver')?.get('send')
  expect([...(results?.keys() ?? [])].toSorted()).toEqual(['OK', 'PROVIDER_UNAVAILABLE'])
})

test('alerts go to no private address and to none that knows another secret; the connection test says so', async () => {
  const { signal } = new AbortController()
  const tested = async (webhook: Partial<AlertsSection['webhook']>) => {
    set({})
    const [check] = await testAlertWebhook(
      desk.auth,
      { ...section, webhook: { ...section.webhook, ...webhook } },
      { workspaceId: 'demo', signal },
    )
    return { ok: check?.ok, found: check?.found }
  }
  const otherSecret = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`
  expect(await tested({})).toEqual({ ok: true, found: 'It was accepted' })
  expect(await tested({ url: null, secret: null })).toMatchObject({ ok: true })
  expect(await tested({ secret: otherSecret })).toEqual({ ok: false, found: 'The receiver of alerts answered with status 401' })
  expect(await tested({ url: 'http://127.0.0.1:9/alerts' })).toEqual({ ok: false, found: '127.0.0.1 is not a public address' })
  expect(await tested({ url: 'http://169.254.169.254/latest' })).toMatchObject({
    ok: false,
    found: '169.254.169.254 is not a public address',
  })
  const isSecret = (text: string) => alertsSection.safeParse({ webhook: { secret: `whsec_${text}` } }).success
  const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64')
  expect([24, 32, 63, 64].map((length) => isSecret(bytes(length)))).toEqual([true, true, true, true])
  expect([23, 65, 66].map((length) => isSecret(bytes(length)))).toEqual([false, false, false])
  // A length that no bytes have, a missing end, and bits that are lost.
  expect([`${bytes(24)}A`, bytes(32).slice(0, -1), `${'A'.repeat(42)}B=`].map(isSecret)).toEqual([false, false, false])
  expect(alertsSection.safeParse({ webhook: { url: 'https://example.com' } }).error?.issues).toMatchObject([
    { path: ['webhook', 'secret'] },
  ])
})

test('an acknowledgment that the store does not make is not in the audit log', async () => {
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate()
  const [alert] = await active()
  const store: Store = { ...desk.auth.store, compareAndSet: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) }
  const acknowledging = acknowledgeAlert({ ...desk.auth, store }, manager, alert?.id ?? '')
  await expect(acknowledging).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await active()).toMatchObject([{ acknowledgedAt: null }])
  const entries = await desk.auth.audit.read(desk.workspaceId, { limit: 50 })
  expect(entries.filter(({ target }) => target?.id === alert?.id)).toEqual([])
})

test('an acknowledgment names the first manager, is audited once, and leaves the alert active', async () => {
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate()
  const [alert] = await active()
  const id = alert?.id ?? ''
  const acknowledged = await acknowledgeAlert(desk.auth, manager, id)
  expect(acknowledged).toMatchObject({ clearedAt: null, acknowledgedBy: { memberId: manager.principal.memberId } })
  desk.clock.advance(1_000)
  expect(await acknowledgeAlert(desk.auth, manager, id)).toEqual(acknowledged)
  expect(await active()).toEqual([acknowledged])
  const entries = (await desk.auth.audit.read(desk.workspaceId, { limit: 50 })).filter(({ target }) => target?.id === id)
  expect(entries.map(({ action }) => action)).toEqual(['alert.acknowledged'])
  const foreigner = { ...manager, principal: testPrincipal({ workspaceId: 'another' }) }
  await expect(acknowledgeAlert(desk.auth, foreigner, id)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  expect((await listAlerts(desk.auth, foreigner, { first: 10, activeOnly: false })).nodes).toEqual([])
})

test('two managers who acknowledge at once: the first is named, and is the only one in the audit log; an alert that has expired does not come back', async () => {
  set({ waitingMissedCalls: 1 })
  await missCall()
  await evaluate()
  const id = (await active())[0]?.id ?? ''
  const other = { ...manager, principal: { ...manager.principal, memberId: 'another manager' } }
  const [one, two] = await Promise.all([acknowledgeAlert(desk.auth, manager, id), acknowledgeAlert(desk.auth, other, id)])
  expect(two).toEqual(one)
  const entries = (await desk.auth.audit.read(desk.workspaceId, { limit: 50 })).filter(({ target }) => target?.id === id)
  expect([manager.principal.memberId, 'another manager']).toContain(one.acknowledgedBy?.memberId)
  expect(entries.map(({ actor }) => actor.memberId)).toEqual([one.acknowledgedBy?.memberId])
  await desk.auth.store.delete(`alert:${desk.workspaceId}:${id}`)
  await expect(acknowledgeAlert(desk.auth, manager, id)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  expect((await list(false)).some((alert) => alert.id === id)).toBe(false)
})

test('a provider that works on one instance is not failing because another one has not called it since', async () => {
  set({ providerFailingMinutes: 1 })
  const failedAt = desk.clock.now()
  const play = async (one: () => Verdict, other: () => Verdict) => {
    for (let run = 0; run < 9; run += 1) {
      desk.clock.advance(8_000)
      for (const verdict of [one, other]) await evaluate({ breakers: { verdicts: () => [verdict()] } })
    }
    return (await active()).map(({ subject }) => subject?.id)
  }
  const works = () => verdictOf({ works: true, at: desk.clock.now() })
  const failed = () => verdictOf({ works: false, at: failedAt })
  expect(await play(failed, works)).toEqual([])
  // An account that works says nothing about another one.
  expect(await play(() => ({ ...failed(), key: 'another account' }), works)).toEqual(['telephony'])
})

test('a provider that fails again and again on one instance only is failing', async () => {
  set({ providerFailingMinutes: 1 })
  for (let run = 0; run < 9; run += 1) {
    desk.clock.advance(8_000)
    await evaluate({ breakers: { verdicts: () => [verdictOf({ works: true, at: desk.clock.now() })] } })
    await evaluate({ breakers: { verdicts: () => [verdictOf({ works: false, at: desk.clock.now() })] } })
  }
  expect((await active()).map(({ subject }) => subject?.id)).toEqual(['telephony'])
})

test('an alert that lasts for more than a month is active until it is over', async () => {
  set({ providerFailingMinutes: 1 })
  isFailing = true
  await pass(3)
  const [alert] = await active()
  await drained()
  for (let day = 0; day < 40; day += 1) {
    desk.clock.advance(86_400_000)
    await evaluate()
  }
  expect((await active()).map(({ id }) => id)).toEqual([alert?.id])
  isFailing = false
  await pass(3)
  expect(await active()).toEqual([])
  await drained()
  expect(received(alert?.id ?? '').map(({ type }) => type)).toEqual(['alert.raised', 'alert.cleared'])
})
