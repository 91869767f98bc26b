import { afterEach, beforeEach, expect, test } from 'vitest'
import { suggestedActions } from '../../src/ports/insight.ts'
import { readInsights } from '../../src/features/insights/read-insights.ts'
import { type InsightPorts, writeInsight } from '../../src/features/insights/write-insight.ts'
import type { RecordingAnalysis } from '../../src/features/recordings/recording-analysis.ts'
import { isoMoment, systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { newId } from '../../src/kernel/ids.ts'
import { asService } from '../../src/ports/record-access.ts'
import { writeStoredAnalysis } from '../../src/features/recordings/stored-analyses.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { callCompleted } from '../builders/events.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createPlatformClient } from '../harness/platform-client.ts'
import { waitFor } from '../harness/wait-for.ts'

let desk: CallsDesk
beforeEach(async () => {
  desk = await createCallsDesk()
})
afterEach(() => desk[Symbol.asyncDispose]())

function consumer(changes: Partial<InsightPorts> = {}) {
  const ports: InsightPorts = {
    ...desk.ports,
    configuration: desk.configuration,
    languageModelOf: desk.languageModelOf,
    store: desk.store,
    clock: systemClock,
    log: createLog('silent'),
    notifications: createInProcessNotifications({ log: createLog('silent') }),
    doctorDirectory: {
      read: async (workspaceId) => ({ doctors: await desk.ports.doctorRecords.doctors(asService(workspaceId, 'WIDGET')), slots: [] }),
      invalidate: () => undefined,
    },
    ...changes,
  }
  return (event: ReturnType<typeof completed>) => writeInsight(ports, event, AbortSignal.timeout(60_000))
}

const leadOf = (name: string) => desk.standIns.platform.records('demo', 'lead', { name: { eq: name } })[0] ?? {}
const leadIdOf = (name: string): string => String(leadOf(name)['id'])
const completed = (leadId: string, changes: Partial<ReturnType<typeof callCompleted>> = {}) =>
  callCompleted(newId(), { workspaceId: desk.workspaceId, leadId, occurredAt: new Date().toISOString(), ...changes })
const updates = () => desk.standIns.platform.calls('updateLead')

test('writes a summary and a suggested action to the lead after a call, with the API key', async () => {
  const leadId = leadIdOf('Rahul Verma')
  await consumer()(completed(leadId))
  const lead = leadOf('Rahul Verma')
  expect(String(lead['aiSummary']).length).toBeGreaterThan(20)
  expect(suggestedActions).toContain(lead['aiSuggestedAction'])
  expect(lead['aiInsightAt']).toBeTruthy()
  expect(updates().map(({ headers }) => headers.authorization)).toEqual([`Bearer ${desk.standIns.platform.apiKeyOf('demo')}`])
  const [asked] = desk.standIns.models.calls()
  expect(asked?.body).toContain('Knee pain for two months')
  expect(asked?.body).toContain('Call back Rahul Verma')
})

test("gives the model the lead's visits with the doctor's name, in the clinic's local time", async () => {
  const leadId = leadIdOf('Rahul Verma')
  const access = asService(desk.workspaceId, 'INSIGHTS')
  const slots = await desk.ports.doctorRecords.slots(access, { from: new Date().toISOString(), first: 50 })
  const slot = slots.find(({ state }) => state === 'FREE')
  await desk.ports.doctorRecords.book(access, { slotId: slot?.id ?? '', leadId })
  await consumer()(completed(leadId))
  const doctors = await desk.ports.doctorRecords.doctors(access)
  const prompt = desk.standIns.models.calls()[0]?.body.replaceAll('\\', '')
  expect(prompt).toContain(`"localStartsAt":"${slot?.localStartsAt}","durationMinutes":20,"state":"BOOKED"`)
  expect(prompt).toContain(doctors.find(({ id }) => id === slot?.doctorId)?.name)
})

test("shows an insight to a member who may read the lead: the field's own text proves it, otherwise the platform decides", async () => {
  const leadId = leadIdOf('Rahul Verma')
  await consumer()(completed(leadId))
  const summary = String(leadOf('Rahul Verma')['aiSummary'])
  const agent = await desk.signIn('agent1@demo.example')
  const ports = { store: desk.store, insightRecords: desk.ports.insightRecords }
  const ids = ['no id', newId(), leadId, leadId]
  const leads = [{ id: leadId, summary }, { id: leadId, summary: null }, ...ids.map((id) => ({ id }))]
  desk.standIns.platform.forgetCalls()
  expect((await readInsights(ports, agent, leads)).map((insight) => insight?.summary ?? null)).toEqual([
    summary,
    null,
    null,
    null,
    summary,
    summary,
  ])
  expect(desk.standIns.platform.calls('leads').map(({ headers }) => headers.authorization)).toEqual([`Bearer ${agent.accessToken}`])

  await deleteLead(leadId)
  expect(await readInsights(ports, agent, [{ id: leadId }])).toEqual([null])
})

test('gives the model its role and rules as instructions, and the question apart from them', async () => {
  const model = await desk.languageModelOf(desk.workspaceId)
  const asked: { instructions: string; prompt: string }[] = []
  const languageModelOf: InsightPorts['languageModelOf'] = async () => ({
    ...model,
    structured: (request) => {
      asked.push(request)
      return model.structured(request)
    },
  })
  await consumer({ languageModelOf })(completed(leadIdOf('Rahul Verma')))
  expect(asked).toHaveLength(1)
  expect(asked[0]?.instructions).toContain('Use only what is recorded')
  expect(asked[0]?.prompt).toContain('Summarise this lead')
})

const analysis = {
  callId: newId(),
  agentId: null,
  startedAt: null,
  disposition: null,
  language: 'en',
  durationSeconds: 60,
  summary: 'She wants the second floor.',
  summaryFrom: 'MODEL',
  topics: [{ topic: 'visit', confidence: 0.9 }],
  sentiment: null,
  speakers: [],
  silenceSeconds: 0,
  longestSilenceSeconds: 0,
  utterances: [],
  insights: null,
  missing: [],
  model: { speech: 'speech-model', language: null },
  tokens: { input: 0, output: 0 },
  sourceHash: 'hash',
  analyzedAt: '2025-01-15T10:00:00.000Z',
  expiresAt: isoMoment(systemClock.now() + 86_400_000),
} satisfies RecordingAnalysis

test('gives the model the analysis of the recording if there is one', async () => {
  const { callId } = analysis
  await writeStoredAnalysis({ ...desk, clock: systemClock }, { workspaceId: desk.workspaceId, callId }, analysis)
  await consumer()(completed(leadIdOf('Rahul Verma'), { callId }))
  expect(desk.standIns.models.calls()[0]?.body).toContain('She wants the second floor.')
})

/** The requests of an insight that count for the API key: one for each root field. */
const counted = () => desk.standIns.platform.calls('POST /graphql').filter(({ operation }) => !operation.includes('__type'))

test('costs two of the requests that the platform allows an API key', async () => {
  await consumer()(completed(leadIdOf('Rahul Verma')))
  desk.standIns.platform.forgetCalls()
  await consumer()(completed(leadIdOf('Rahul Verma'), { ucid: 'another' }))
  expect(counted().map(({ operation }) => operation)).toEqual(['POST /graphql leads', 'POST /graphql updateLead'])
})

test('gives the model the newest calls of a lead with more than the platform lists inside a record', async () => {
  const leadId = leadIdOf('Rahul Verma')
  const startedAt = (at: number): string => new Date(Date.now() - at * 60_000).toISOString()
  const values = (at: number) =>
    ({ ucid: `many-${at}`, leadId, startedAt: startedAt(at), status: 'COMPLETED', direction: 'INBOUND' }) as const
  const calls = Array.from({ length: 70 }, (_, at) => ({ id: newId(), values: values(69 - at) }))
  await desk.ports.records.upsertMany(asService(desk.workspaceId, 'INSIGHTS'), 'call', calls)
  await consumer()(completed(leadId))
  const prompt = desk.standIns.models.calls()[0]?.body ?? ''
  expect([0, 9].every((at) => prompt.includes(`many-${at}\\`))).toBe(true)
  expect(prompt).not.toContain('many-10\\')
})

test('asks the model once and writes once if an event is delivered twice', async () => {
  const event = completed(leadIdOf('Rahul Verma'))
  await consumer()(event)
  const first = leadOf('Rahul Verma')
  await consumer()(event)
  expect(leadOf('Rahul Verma')).toEqual(first)
  expect(updates().length).toBe(1)
  expect(desk.standIns.models.calls().length).toBe(1)
})

test('repeats a write whose answer was lost with the same text, without asking the model again', async () => {
  const event = completed(leadIdOf('Rahul Verma'))
  desk.standIns.platform.fault({ operation: 'updateLead', act: 'cutAfter', times: 1 })
  await expect(consumer()(event)).rejects.toMatchObject({ retryable: true })
  const written = leadOf('Rahul Verma')['aiSummary']
  await consumer()(event)
  expect(leadOf('Rahul Verma')['aiSummary']).toBe(written)
  expect(desk.standIns.models.calls().length).toBe(1)
})

test('never overwrites the insight of a newer event', async () => {
  const leadId = leadIdOf('Rahul Verma')
  desk.standIns.models.answerNext(insight('The newer call.'))
  await consumer()(completed(leadId, { occurredAt: '2025-01-15T10:00:00.000Z' }))
  desk.standIns.models.answerNext(insight('The older call.'))
  await consumer()(completed(leadId, { occurredAt: '2025-01-15T09:00:00.000Z' }))
  expect(leadOf('Rahul Verma')['aiSummary']).toBe('The newer call.')
})

test('never overwrites the insight of a corrected outcome by that of the first one, however late it comes', async () => {
  const leadId = leadIdOf('Rahul Verma')
  const call = { ucid: '4711', callId: newId() }
  const first = completed(leadId, { ...call, occurredAt: '2025-01-15T10:00:00.000Z', disposition: 'Call Back Later' })
  const correction = { disposition: 'Not Interested', supersedes: first.id, occurredAt: '2025-01-15T10:00:00.001Z' }
  desk.standIns.models.answerNext(insight('He is not interested.', 'NO_ACTION'))
  await consumer()(completed(leadId, { ...call, ...correction }))
  desk.standIns.models.answerNext(insight('Call him back.'))
  await consumer()(first)
  expect(leadOf('Rahul Verma')).toMatchObject({ aiSummary: 'He is not interested.', aiSuggestedAction: 'NO_ACTION' })
})

test('keeps the insight of the newest of several simultaneous events of one lead', async () => {
  const leadId = leadIdOf('Rahul Verma')
  const events = ['09', '10', '11'].map((hour) => completed(leadId, { occurredAt: `2025-01-15T${hour}:00:00.000Z` }))
  const isDone = async (event: ReturnType<typeof completed>): Promise<boolean> => {
    try {
      await consumer()(event)
      return true
    } catch (error) {
      if (error instanceof AppError && error.reason === 'OVERLOADED') return false
      throw error
    }
  }
  await Promise.all(events.map((event) => waitFor(() => isDone(event))))
  const stored = JSON.parse((await desk.store.get(`insight:${desk.workspaceId}:${leadId}`)) ?? '{}') as unknown
  expect(stored).toMatchObject({ eventId: events[2]?.id, summary: leadOf('Rahul Verma')['aiSummary'] })
})

function insight(summary: string, suggestedAction = 'CALL_BACK') {
  return { summary, suggestedAction, reason: 'Because.', callBackAt: null }
}

async function deleteLead(leadId: string): Promise<void> {
  await createPlatformClient(desk.standIns.platform).ask('/graphql', `mutation { deleteLead(id: "${leadId}") { id } }`, {
    token: desk.standIns.platform.apiKeyOf('demo'),
  })
}

test('drops the insight of a deleted lead, without asking the model', async () => {
  const leadId = leadIdOf('Rahul Verma')
  await deleteLead(leadId)
  const event = completed(leadId)
  await consumer()(event)
  expect(desk.standIns.models.calls()).toEqual([])
  const requests = desk.standIns.platform.calls().length
  await consumer()(event)
  expect(desk.standIns.platform.calls().length).toBe(requests)
})

test.each([
  ['in its own fields', {}],
  ['in a note', { aiSummary: 'noSuchField' }],
])('drops the insight of a lead that was deleted while the model answered: %s', async (_, fields) => {
  const leadId = leadIdOf('Rahul Verma')
  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  desk.configure('platform', { objects: { ...objects, lead: { ...objects.lead, fields: { ...objects.lead.fields, ...fields } } } })
  const languageModelOf: InsightPorts['languageModelOf'] = async (workspaceId) => {
    await deleteLead(leadId)
    return desk.languageModelOf(workspaceId)
  }
  const event = completed(leadId)
  await consumer({ languageModelOf })(event)
  expect(await desk.store.get(`insight:${desk.workspaceId}:${leadId}`)).toBeNull()
  expect(desk.standIns.platform.records('demo', 'note', { title: { eq: 'Call insight' } })).toEqual([])
  const requests = desk.standIns.platform.calls().length
  await consumer()(event)
  expect(desk.standIns.platform.calls().length).toBe(requests)
})

test('asks the model twice at most for an event that it cannot answer, and again when it is replayed, but waits while the model is down', async () => {
  const event = completed(leadIdOf('Rahul Verma'))
  desk.standIns.models.fault({ act: 'refuse', status: 503 })
  await expect(consumer()(event)).rejects.toMatchObject({ retryable: true })
  desk.standIns.models.clearFaults()
  desk.standIns.models.forgetCalls()
  desk.standIns.models.malformNext({ times: 4 })
  for (const calls of [2, 4]) {
    await expect(consumer()(event)).rejects.toMatchObject({ name: 'NonRetryableError', reason: 'MODEL_REFUSED' })
    expect(desk.standIns.models.calls()).toHaveLength(calls)
  }
  await consumer()(event)
  expect(leadOf('Rahul Verma')['aiSummary']).not.toBeNull()
})

test.each(['filter', 'quota'] as const)('asks the model once if it refuses with %s', async (as) => {
  desk.standIns.models.refuseNext({ as })
  const verdict = { filter: { name: 'NonRetryableError', reason: 'MODEL_REFUSED' }, quota: { reason: 'NOT_CONFIGURED' } }[as]
  await expect(consumer()(completed(leadIdOf('Rahul Verma')))).rejects.toMatchObject(verdict)
  expect(desk.standIns.models.calls()).toHaveLength(1)
})

test.each(['fence', 'prose', 'thinking', 'thinking-begun'] as const)('asks a model once that writes its answer as %s', async (manner) => {
  desk.standIns.models.write(manner)
  await consumer()(completed(leadIdOf('Rahul Verma')))
  expect(leadOf('Rahul Verma')['aiSummary']).toMatch(/^[^{`<]+$/)
  expect(desk.standIns.models.calls()).toHaveLength(1)
})

test('takes a time to call back without a zone as one of the clinic, and a time that is not after the call for none', async () => {
  const leadId = leadIdOf('Rahul Verma')
  const { timeZone } = (await desk.configuration.read(desk.workspaceId, 'platform')).visits
  expect(timeZone).toBe('Asia/Kolkata')
  const stored = async (callBackAt: string, minute: number): Promise<unknown> => {
    desk.standIns.models.answerNext({ ...insight('Later.'), callBackAt })
    await consumer()(completed(leadId, { occurredAt: `2026-11-24T04:${minute}:00.000Z` }))
    return JSON.parse((await desk.store.get(`insight:${desk.workspaceId}:${leadId}`)) ?? '{}')
  }
  expect(await stored('2026-11-24T10:00:00', 10)).toMatchObject({ callBackAt: '2026-11-24T04:30:00.000Z' })
  const past = ['2026-11-24T04:11:00Z', '2026-11-24T09:42:00+05:30', '2026-11-24T09:00', '2025-11-25T10:00:00Z', '1970-01-01T00:00:00Z']
  for (const [index, callBackAt] of past.entries()) {
    expect(await stored(callBackAt, 11 + index)).toMatchObject({ summary: 'Later.', suggestedAction: 'CALL_BACK', callBackAt: null })
  }
})

test('writes one note on the lead, and updates it, if the workspace lacks the fields', async () => {
  const leadId = leadIdOf('Rahul Verma')
  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  const fields = { ...objects.lead.fields, aiSummary: 'noSuchField', aiSuggestedAction: 'norThis', aiInsightAt: 'norThat' }
  desk.configure('platform', { objects: { ...objects, lead: { ...objects.lead, fields } } })
  const notes = () => desk.standIns.platform.records('demo', 'note', { title: { eq: 'Call insight' } })
  desk.standIns.models.answerNext(insight('He asks for a date.'))
  await consumer()(completed(leadId, { occurredAt: '2025-01-15T09:00:00.000Z' }))
  desk.standIns.models.answerNext(insight('He has a date.', 'NO_ACTION'))
  await consumer()(completed(leadId, { occurredAt: '2025-01-15T10:00:00.000Z' }))
  expect(notes().map(({ bodyV2 }) => bodyV2)).toEqual([expect.objectContaining({ markdown: 'He has a date.\n\nSuggested: no action' })])
  const targets = desk.standIns.platform.records('demo', 'noteTarget', { noteId: { eq: String(notes()[0]?.['id']) } })
  expect(targets).toEqual([expect.objectContaining({ targetLeadId: leadId })])
  expect(updates()).toEqual([])
  // The platform runs the root fields of one mutation at the same time: the note must exist before its lead is linked.
  const writes = desk.standIns.platform.calls('createNote').map(({ operation }) => operation.replace('POST /graphql ', ''))
  expect(writes).toEqual(['createNotes', 'createNoteTargets', 'createNotes', 'createNoteTargets'])
})

test('never writes an action that is not in the list', async () => {
  desk.standIns.models.answerNext(insight('Fine.', 'DELETE_LEAD'))
  desk.standIns.models.answerNext(insight('Fine.', 'TRANSFER_MONEY'))
  await expect(consumer()(completed(leadIdOf('Rahul Verma')))).rejects.toMatchObject({ name: 'NonRetryableError' })
  expect(updates()).toEqual([])
})
