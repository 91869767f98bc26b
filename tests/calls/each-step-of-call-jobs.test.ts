import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { addCallFacts } from '../../src/features/calls/state/call-state-store.ts'
import { checkLater, checkOutboundCalls } from '../../src/features/calls/tracking/check-outbound-calls.ts'
import { endLostCall } from '../../src/features/calls/tracking/end-lost-call.ts'
import { enrichCall } from '../../src/features/calls/screen-pop/enrich-call.ts'
import { keepLiveEvents } from '../../src/features/calls/live-events/keep-live-events.ts'
import { subscribeLiveEvents } from '../../src/features/calls/live-events/subscribe-live-events.ts'
import { lookUpCall } from '../../src/features/calls/screen-pop/look-up-call.ts'
import { addMissedCall } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { readCurrentCall } from '../../src/features/calls/screen-pop/read-current-call.ts'
import { receiveWebhook } from '../../src/features/calls/webhooks/receive-webhook.ts'
import { writeScreenPop } from '../../src/features/calls/screen-pop/recent-screen-pops.ts'
import { reconcileCalls } from '../../src/features/calls/reconciliation/reconcile-calls.ts'
import { createReconciliation } from '../../src/features/calls/reconciliation/reconciliation.ts'
import { newState, writeState } from '../../src/features/calls/reconciliation/reconciliation-state.ts'
import { queueRecord } from '../../src/features/calls/state/record-queue.ts'
import { rotateWebhookKey } from '../../src/features/calls/webhooks/rotate-webhook-key.ts'
import { createLeadsOfCallers } from '../../src/features/calls/unknown-callers/create-leads-of-callers.ts'
import { queueUnknownCaller } from '../../src/features/calls/unknown-callers/queue-unknown-caller.ts'
import { updateCall } from '../../src/features/calls/state/update-call.ts'
import { replaceWebhookKey } from '../../src/features/calls/webhook-store/webhook-keys.ts'
import { writeAlone } from '../../src/features/calls/records/write-alone.ts'
import { writeRecords } from '../../src/features/calls/records/write-records.ts'
import { entryIdOf } from '../../src/features/calls/worklist-entries/entry-store.ts'
import { listWorklist } from '../../src/features/calls/worklist/list-worklist.ts'
import { assignEntry, scheduleEntry } from '../../src/features/calls/worklist/plan-entry.ts'
import { queueNewTask } from '../../src/features/calls/worklist-entries/task-queue.ts'
import { writeTasks } from '../../src/features/calls/worklist/write-tasks.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { Configuration } from '../../src/ports/configuration/configuration.ts'
import type { ReportedCallFacts } from '../../src/ports/call-facts.ts'
import type { OutboundTelephony } from '../../src/ports/outbound-telephony.ts'
import type { TelephonyWebhooks } from '../../src/ports/telephony-webhooks.ts'
import type { ErrorReason } from '../../src/kernel/errors.ts'
import { failEachStep, type Outcomes } from '../harness/each-step.ts'
import { createFakeTelephony } from '../harness/fake-telephony.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'
import { doDue } from '../harness/do-due.ts'

/** Every step of these use cases fails once. A failure that is in no list fails the use case with the same error. */

let desk: WiredDesk
let agent: Actor
let ports: CallPorts
beforeAll(async () => {
  desk = await createWiredDesk()
  const { configuration } = desk.ports
  const withLeads: Configuration = {
    async read(workspaceId, section) {
      const values = await configuration.read(workspaceId, section)
      return 'newLeads' in values ? { ...values, newLeads: { ...values.newLeads, enabled: true }, outbound: { id: 'second' } } : values
    },
  }
  const outbound: OutboundTelephony = {
    capabilities: new Set(),
    dial: () => Promise.reject(new Error('not used here')),
    endedCall: async () => ({ answered: true, endedAt: isoMoment(desk.clock.now()) }),
    recording: () => Promise.reject(new Error('not used here')),
  }
  const chosen = { telephonyOf: async () => telephony, outboundTelephonyOf: async () => outbound }
  ports = { ...desk.calls, ...desk.steps.around(chosen), webhookInbox: inbox, configuration: withLeads }
})
afterAll(() => desk[Symbol.asyncDispose]())
beforeEach(async () => {
  agent = await desk.signIn('agent1@demo.example')
})

const inbox: CallPorts['webhookInbox'] = { add: (received) => desk.calls.webhookInbox.add(received), start: () => {}, stop: async () => {} }
const telephony = createFakeTelephony({
  missedCalls: async () => [{ ucid: newId(), phoneNumber: newNumber(), did, agentId: null, at: now() }],
  callRecordPage: async () => {
    const facts = { direction: 'INBOUND', phoneNumber: newNumber(), startedAt: now(), answered: true } as const
    return { records: [{ about: 'CALL', ucid: newId(), source: 'RECORD', facts, automaticDisposition: null }], unreadable: 0, next: null }
  },
})
const outcomes = <Subject>(
  prepare: () => Promise<Subject>,
  run: (subject: Subject) => Promise<unknown>,
  reason?: ErrorReason | 'unexpected',
): Promise<Outcomes> => failEachStep(desk.steps, { prepare, run, ...(reason && { reason }) })
const nothing = async (): Promise<void> => {}
const key = (ucid: string) => ({ workspaceId: desk.workspaceId, ucid })
const now = (): string => isoMoment(desk.clock.now())
const did = '+918049202040'
const forget = (list: string) => ports.store.sortedTrim(list, Number.MAX_SAFE_INTEGER)

let numbers = 0
const newNumber = (): string => `+9198${String(30_000_000 + numbers++)}`

/** A call that is known, its change queued for the platform's record. */
async function known(more: ReportedCallFacts = {}): Promise<string> {
  desk.clock.advance(1_000)
  const ucid = newId()
  const facts = { direction: 'INBOUND', phoneNumber: newNumber(), did, startedAt: now(), provider: 'ozonetel', ...more } as const
  await addCallFacts(ports, key(ucid), factsOf(facts, { source: 'LIVE', receivedAt: desk.clock.now() }))
  return ucid
}
const person = async () => {
  desk.clock.advance(1_000)
  const phoneNumber = newNumber()
  await addMissedCall(ports, desk.workspaceId, { ucid: newId(), phoneNumber, did, campaignName: null, leadId: null, at: now() })
  return entryIdOf(desk.workspaceId, phoneNumber)
}

test('the records of calls, together and alone', async () => {
  const queued = async () => {
    const ucid = await known()
    await forget(`call-records-queued:${desk.workspaceId}`)
    await queueRecord(ports, key(ucid))
    desk.clock.advance(1_000)
  }
  expect(await outcomes(queued, () => doDue(writeRecords, ports))).toEqual({
    tolerated: [
      'callRecords.writeMany',
      'leadRecords.byPhones',
      'store.compareAndDelete due-work-lease:*:call-records-queued',
      'store.getMany call-record-alone:*:*',
      'store.getMany call:*:*',
      'store.sortedAdd call-records-workspaces',
    ],
  })
  expect(await outcomes(queued, () => doDue(writeRecords, ports), 'PROVIDER_REFUSED')).toEqual({
    tolerated: ['callRecords.writeMany', 'leadRecords.byPhones'],
  })
  expect(await outcomes(known, (ucid) => writeAlone(ports, { key: key(ucid), facts: {} }))).toEqual({})
  expect(await outcomes(known, (ucid) => writeAlone(ports, { key: key(ucid), facts: {} }), 'PROVIDER_REFUSED')).toEqual({})
  const facts = () => factsOf({ answeredAt: now() }, { source: 'LIVE', receivedAt: desk.clock.now() })
  expect(await outcomes(known, (ucid) => updateCall(ports, key(ucid), facts()))).toEqual({})
})

test('a call whose end was lost, and one of the second provider', async () => {
  expect(
    await outcomes(
      () => known({ agentId: newId() }),
      (ucid) => endLostCall(ports, key(ucid)),
    ),
  ).toEqual({})
  const open = async () => {
    await forget(`outbound-calls-open:${desk.workspaceId}`)
    await checkLater(ports, key(await known({ provider: 'second', direction: 'OUTBOUND' })))
    desk.clock.advance(60_000)
  }
  expect(await outcomes(open, () => doDue(checkOutboundCalls, ports))).toEqual({
    tolerated: [
      'configuration.read telephony',
      'notifications.publish call.changed',
      'outboundTelephony.endedCall',
      'outboundTelephony.of',
      'store.compareAndDelete due-work-lease:*:outbound-calls-open',
      'store.compareAndSet call:*:*',
      'store.get call-transfer:*:*',
      'store.get call:*:*',
      'store.get last-reached:*:*',
      'store.get missed-call:*:*',
      'store.get worklist-entry:*:*',
      'store.setIfAbsent last-reached:*:*',
      'store.sortedAdd call-records-queued:*',
      'store.sortedAdd calls-changed:*',
      'store.sortedAdd calls-started:*',
      'store.sortedAddLowest due-work',
      'store.sortedRemove calls-live:*',
    ],
  })
})

test('the lead of an unknown caller', async () => {
  const caller = async () => {
    await forget(`callers-without-lead:${desk.workspaceId}`)
    desk.clock.advance(3_600_000 / 20)
    agent = await desk.signIn('agent1@demo.example')
    const ucid = await known({ answered: false, endedAt: now() })
    const { after } = await updateCall(ports, key(ucid), {})
    await queueUnknownCaller(ports, desk.workspaceId, after)
  }
  expect(await outcomes(caller, () => doDue(createLeadsOfCallers, ports), 'PROVIDER_REFUSED')).toEqual({
    tolerated: ['agentDirectory.all', 'leadRecords.byPhone', 'leadRecords.wasDeleted', 'newLeads.create'],
  })
  expect(await outcomes(caller, () => doDue(createLeadsOfCallers, ports))).toEqual({
    tolerated: [
      'agentDirectory.all',
      'configuration.read telephony',
      'leadRecords.byPhone',
      'leadRecords.wasDeleted',
      'newLeads.create',
      'notifications.publish call.changed',
      'store.compareAndDelete due-work-lease:*:callers-without-lead',
      'store.compareAndSet call:*:*',
      'store.get call:*:*',
      'store.get missed-call:*:*',
      'store.get unknown-caller:*:*',
      'store.increment new-leads:*:*',
      'store.setIfAbsent unknown-caller:*:*',
      'store.sortedAdd call-records-queued:*',
      'store.sortedAdd calls-changed:*',
      'store.sortedAdd calls-started:*',
      'store.sortedAddLowest due-work',
      'store.sortedRemove calls-live:*',
    ],
  })
})

test('calls that are compared with the records of the provider', async () => {
  const due = async () => {
    await writeState(ports, desk.workspaceId, newState(desk.clock.now()))
    desk.clock.advance(300_000)
    return { workspaceId: desk.workspaceId, awaySince: desk.clock.now() }
  }
  expect(await outcomes(due, (input) => reconcileCalls(ports, input))).toEqual({
    tolerated: [
      'outbox.add webhook',
      'store.compareAndDelete call-reconciliation-lease:*',
      'store.getMany call:*:* (2, 3)',
      'telephony.callRecordPage',
      'telephony.missedCalls',
      'telephony.of',
    ],
  })
})

test('the comparison of all workspaces', async () => {
  const due = async () => {
    desk.clock.advance(400_000)
    agent = await desk.signIn('agent1@demo.example')
  }
  const reconciliation = createReconciliation({ ...ports, servedWorkspaces: { workspaces: ['demo'] } })
  expect(await outcomes(due, () => reconciliation.run())).toEqual({
    tolerated: [
      'configuration.read telephony',
      'outbox.add webhook',
      'store.compareAndDelete call-reconciliation-lease:*',
      'store.get call-reconciliation-wanted:*',
      'store.get call-reconciliation:*',
      'store.getMany call:*:*',
      'store.set call-reconciliation:*',
      'store.setIfAbsent call-reconciliation-lease:*',
      'store.sortedAdd call-reconciliation-workspaces',
      'telephony.callRecordPage',
      'telephony.of',
      'workspaces.idOf demo',
    ],
  })
})

test('the subscription of live events', async () => {
  const { workspaceId } = desk
  const none = async () => {
    await ports.store.delete(`live-events:${workspaceId}`)
  }
  expect(await outcomes(none, () => subscribeLiveEvents(ports, workspaceId))).toEqual({
    tolerated: ['store.compareAndDelete live-events-lease:*', 'telephony.of (2)', 'telephony.subscribe'],
  })
  expect(await outcomes(none, () => subscribeLiveEvents(ports, workspaceId), 'NOT_CONFIGURED')).toEqual({
    tolerated: ['telephony.of', 'telephony.subscribe'],
  })
  expect(await outcomes(none, () => subscribeLiveEvents(ports, workspaceId), 'unexpected')).toEqual({})
  expect(await outcomes(none, () => keepLiveEvents({ ...ports, servedWorkspaces: { workspaces: ['demo'] } }))).toEqual({
    tolerated: [
      'configuration.read telephony',
      'store.compareAndDelete live-events-lease:*',
      'store.get live-events-account:*',
      'store.get live-events:*',
      'store.get webhook-key-current:*:ozonetel',
      'store.set live-events-account:*',
      'store.set live-events:*',
      'store.set webhook-key:*',
      'store.setIfAbsent live-events-lease:*',
      'telephony.of',
      'telephony.subscribe',
      'workspaces.idOf demo',
    ],
  })
})

test('a webhook, and its key', async () => {
  const rotated = async () =>
    (await replaceWebhookKey(ports, { workspaceId: desk.workspaceId, provider: 'ozonetel' })).path.split('/').at(-1)
  const webhooks: TelephonyWebhooks = {
    read: () => [{ about: 'AGENT', agentId: 'agent1', state: 'READY', reason: null, ucid: null, at: now() }],
  }
  // The log of webhooks is written later, by no step of this one.
  const webhookLog = { note: () => {}, giveUp: async () => {}, stop: async () => {} }
  const received = { ...ports, webhookLog, ...desk.steps.around({ telephonyWebhooksOf: async () => webhooks }) }
  const receive = (last = '') => receiveWebhook(received, { provider: 'ozonetel', key: last, contentType: 'application/json', body: '{}' })
  expect(await outcomes(rotated, receive)).toEqual({ tolerated: ['store.set live-events-last:*:ozonetel'] })
  expect(await outcomes(nothing, () => rotateWebhookKey(ports, agent, 'ozonetel'))).toEqual({})
})

test('the tasks of callbacks, and the plan of a person', async () => {
  const queued = async () => {
    await forget(`callback-tasks:${desk.workspaceId}`)
    const ucid = await known()
    await queueNewTask(ports, {
      ...key(ucid),
      phoneNumber: newNumber(),
      leadId: null,
      initial: { dueAt: now(), status: 'TODO' },
      changes: {},
    })
  }
  expect(await outcomes(queued, () => doDue(writeTasks, ports))).toEqual({
    tolerated: [
      'callbackTasks.create',
      'leadRecords.byPhones',
      'store.compareAndDelete callback-task:*',
      'store.compareAndDelete due-work-lease:*:callback-tasks',
      'store.get call:*:*',
      'store.get callback-task:*',
      'store.get worklist-entry:*:*',
    ],
  })
  const dueAt = () => isoMoment(desk.clock.now() + 3_600_000)
  expect(await outcomes(person, (id) => scheduleEntry(ports, agent, { id, dueAt: dueAt() }))).toEqual({})
  expect(await outcomes(person, (id) => assignEntry(ports, agent, { id, agentId: agent.principal.agentId }))).toEqual({})
  expect(await outcomes(person, () => listWorklist(ports, agent, { first: 5, includeLater: true }))).toEqual({})
})

test('the screen pop, and its summary', async () => {
  const phoneNumber = '+919876543210'
  expect(await outcomes(nothing, () => lookUpCall(ports, agent, { phoneNumber }), 'PLATFORM_REFUSED')).toEqual({
    tolerated: ['callRecords.ofLead', 'callRecords.withPhone', 'leadAgenda.nextVisit', 'leadAgenda.openTasks', 'leadRecords.byPhone'],
  })
  expect(await outcomes(nothing, () => lookUpCall(ports, agent, { phoneNumber }))).toEqual({
    tolerated: ['callRecords.ofLead', 'callRecords.withPhone', 'leadAgenda.nextVisit', 'leadAgenda.openTasks', 'leadRecords.byPhone'],
  })
  const shown = () => writeScreenPop(ports, agent.principal, { phoneNumber, ucid: null })
  expect(await outcomes(shown, () => readCurrentCall(ports, agent))).toEqual({
    tolerated: ['callRecords.ofLead', 'callRecords.withPhone', 'leadAgenda.nextVisit', 'leadAgenda.openTasks', 'leadRecords.byPhone'],
  })
  const call = async () => lookUpCall(ports, agent, { ucid: await known({ phoneNumber }) })
  expect(await outcomes(call, (looked) => enrichCall(ports, agent, looked))).toEqual({
    tolerated: [
      'languageModel.of',
      'languageModel.structured',
      'leadActivity.read',
      'store.get enrichment:*:*:*:*',
      'store.set enrichment:*:*:*:*',
    ],
  })
})
