import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { CallWrite } from '../../src/ports/call-records.ts'
import { asPerson, asService, type PersonAccess, type RecordAccess } from '../../src/ports/record-access.ts'
import type { PlatformEndpoint } from '../../src/providers/platform/endpoint.ts'
import { createRecordPorts } from '../../src/providers/platform/platform-ports.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock } from '../harness/clock.ts'
import { createFailingPlatform, platformRefusal } from '../harness/failing-platform.ts'
import { createPlatformClient } from '../harness/platform-client.ts'

const platform = createFailingPlatform()
const clock = createTestClock(new Date().toISOString())
let desk: CallsDesk
let access: PersonAccess
let manager: string
beforeAll(async () => {
  desk = await createCallsDesk({ before: platform.before, clock })
  const { access: accessToken } = await createPlatformClient(desk.standIns.platform).signIn('agent1')
  manager = (await createPlatformClient(desk.standIns.platform).signIn('manager')).access
  access = asPerson(desk.workspaceId, accessToken)
})
afterAll(() => desk[Symbol.asyncDispose]())
beforeEach(() => void platform.sent.splice(0))

const away = () => new AppError('PROVIDER_UNAVAILABLE')
const records = (object: string, filter: Parameters<CallsDesk['standIns']['platform']['records']>[2]) =>
  desk.standIns.platform.records('demo', object, filter)
const leadId = () => String(records('lead', { name: { eq: 'Rahul Verma' } })[0]?.['id'])
const agentId = () => String(records('agent', { providerAgentId: { eq: 'agent1' } })[0]?.['id'])
const fieldsIn = () => platform.sent.map((document) => /\b(?:create|update|delete)[A-Z]\w*(?=\()/.exec(document)?.[0]).filter(Boolean)
const call = (ucid: string, values: CallWrite['values'] = {}): CallWrite => ({ ucid, values: { status: 'COMPLETED', ...values } })

describe('a failure of the platform reaches who asked for', () => {
  const insight = { summary: 's', suggestedAction: 'CALL_BACK', writtenAt: '2026-01-01T00:00:00.000Z' } as const
  const members = () => ({ ...access, accessToken: manager })
  const steps: readonly [string, RegExp, () => Promise<unknown>][] = [
    ['a note', /createNotes\(/, () => desk.ports.leadNotes.write(access, { leadId: leadId(), reference: 'r', title: 't', text: 'x' })],
    [
      "a note's lead",
      /createNoteTargets\(/,
      () => desk.ports.leadNotes.write(access, { leadId: leadId(), reference: 'r', title: 't', text: 'x' }),
    ],
    ['an insight', /updateLead\(/, () => desk.ports.insightRecords.write(access, leadId(), insight)],
    ['a task', /createTask\(/, () => desk.ports.callbackTasks.create(access, { id: newId(), title: 't', leadId: leadId() })],
    ["a task's lead", /createTaskTarget\(/, () => desk.ports.callbackTasks.create(access, { id: newId(), title: 't', leadId: leadId() })],
    ['a changed task', /updateTask\(/, () => desk.ports.callbackTasks.update(access, newId(), { status: 'DONE' })],
    ['tasks', /tasks\(/, () => desk.ports.callbackTasks.byIds(access, [newId()])],
    ['a call', /createCall\(/, () => desk.ports.callRecords.write(access, call('f1'))],
    ['one of several calls', /createCall\(/, () => desk.ports.callRecords.writeMany(access, [call('f1')])],
    ['several calls', /createCalls\(/, () => desk.ports.callRecords.writeMany(access, [call('f1'), call('f2')])],
    ['the state of calls', /calls\(/, () => desk.ports.callRecords.writeMany(access, [call('f1'), call('f2')])],
    [
      'a new lead',
      /createLead\(/,
      () => desk.ports.newLeads.create(access, { id: newId(), name: 'n', phoneNumber: '+919000000001', source: 'call' }),
    ],
    ['a withdrawn lead', /deleteLead\(/, () => desk.ports.newLeads.withdraw(access, newId())],
    ['the member of an agent', /updateAgent\(/, () => desk.ports.teamAgents.unlink(members(), agentId())],
    ['an agent', /updateAgent\(/, () => desk.ports.teamAgents.update(members(), agentId(), { name: 'n' })],
    [
      'an agent that exists',
      /createAgents\(/,
      () => {
        platform.fail(/createAgent\(/, platformRefusal('A duplicate entry was detected'))
        return desk.ports.teamAgents.create(members(), newId(), { name: 'n' })
      },
    ],
    ['agents', /agents\(/, () => desk.ports.agentRecords.ofMember({ ...access, memberId: newId() }, access.accessToken)],
    ['a role of members', /updateWorkspaceMemberRole/, () => desk.callPorts.members.setRole(members(), newId(), newId())],
    ['the invite link', /updateWorkspace\(/, () => desk.callPorts.members.setInviteLink(members(), true)],
    [
      'the name of a member',
      /updateWorkspaceMember\(/,
      () => desk.callPorts.members.setName(members(), newId(), { firstName: 'a', lastName: 'b' }),
    ],
    ['a removed member', /deleteUserFromWorkspace/, () => desk.callPorts.members.remove(members(), newId())],
    ['a page of members', /workspaceMembers\(/, () => desk.callPorts.members.page(members(), { first: 1, after: null, search: null })],
    [
      'the rights of a role',
      /upsertObjectPermissions/,
      () => desk.ports.dataModel.makeReadOnly(manager, { objectId: newId(), roleLabel: 'Admin' }),
    ],
    ['a new role', /createOneRole/, () => desk.ports.dataModel.createRole(manager, { label: 'l', kind: 'USER' })],
  ]
  test.each(steps)('%s', async (_, document, step) => {
    platform.fail(document, away())
    await expect(step()).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  })
})

test('a lead that is gone needs no withdrawal', async () => {
  await expect(desk.ports.newLeads.withdraw({ ...access, accessToken: manager }, newId())).resolves.toBeUndefined()
})

describe('a call record', () => {
  test('that another program created with an id of its own is changed, and keeps its id', async () => {
    const id = newId()
    await desk.ports.records.create(access, 'call', { id, values: { ucid: 'other-id', name: 'theirs' } })
    expect(await desk.ports.callRecords.write(access, call('other-id', { notes: 'ours' }))).toEqual({ id })
    expect(records('call', { id: { eq: id } })).toMatchObject([{ name: 'theirs', notes: 'ours', status: 'COMPLETED' }])
  })

  test('that somebody deleted stays deleted, alone and among several', async () => {
    const { id } = await desk.ports.callRecords.write(access, call('gone'))
    await desk.ports.records.delete(asPerson(desk.workspaceId, manager), 'call', id)
    expect(await desk.ports.callRecords.write(access, call('gone'))).toEqual({ id })
    platform.sent.splice(0)
    await desk.ports.callRecords.writeMany(access, [call('gone'), call('gone')])
    expect(fieldsIn()).toEqual([])
    await desk.ports.callRecords.writeMany(access, [call('gone'), call('new'), call('newer')])
    expect(await desk.ports.callRecords.byUcid(access, 'gone')).toBeNull()
    expect(await desk.ports.callRecords.byUcid(access, 'newer')).toMatchObject({ status: 'COMPLETED' })
  })

  test('is written without a lead or an agent that does not exist, and with the one that does', async () => {
    const vanished = call('vanished', { leadId: newId(), agentId: agentId() })
    const { id } = await desk.ports.callRecords.write(access, vanished)
    expect(records('call', { id: { eq: id } })).toMatchObject([{ leadId: null, agentId: agentId() }])
    await desk.ports.callRecords.write(access, call('vanished', { leadId: leadId(), agentId: newId() }))
    expect(records('call', { id: { eq: id } })).toMatchObject([{ leadId: leadId(), agentId: agentId() }])
  })

  test('whose platform has any other fault is not written in another way', async () => {
    platform.fail(/createCall\(/, platformRefusal('something else'))
    await expect(desk.ports.callRecords.write(access, call('fault'))).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
    await desk.ports.callRecords.write(access, call('fault'))
    platform.fail(/updateCall\(/, away())
    await expect(desk.ports.callRecords.write(access, call('fault'))).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
    expect(fieldsIn()).toEqual(['createCall', 'createCall', 'createCall', 'updateCall'])
  })
})

describe('a task', () => {
  const write = (values: { leadId?: string; assigneeId?: string } = {}) => {
    const id = newId()
    const task = { id, title: 'Call back', leadId: null, ...values }
    return desk.ports.callbackTasks.create(access, task).then(({ created }) => ({ id, created, task }))
  }

  test('is created without a member or a lead that does not exist, and once', async () => {
    const { id, created, task } = await write({ leadId: newId(), assigneeId: newId() })
    expect(created).toBe(true)
    expect(records('task', { id: { eq: id } })).toMatchObject([{ title: 'Call back', assigneeId: null }])
    expect(await desk.ports.callbackTasks.create(access, { ...task, assigneeId: newId() })).toEqual({ created: false })
    platform.fail(/createTask\(/, away())
    await expect(write({ assigneeId: newId() })).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
    platform.fail(/createTask\(/, platformRefusal('no'))
    await expect(write()).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  })

  test('is linked to its lead once, although both are written again', async () => {
    const { task } = await write({ leadId: leadId() })
    await desk.ports.callbackTasks.create(access, task)
    expect(records('taskTarget', { taskId: { eq: task.id } })).toHaveLength(1)
  })

  test('that is missing is not changed, without an error; nothing is asked if nothing changes', async () => {
    await desk.ports.callbackTasks.update(access, newId(), { status: 'DONE' })
    platform.fail(/updateTask\(/, platformRefusal('Record not found', { code: 'NOT_FOUND' }))
    await desk.ports.callbackTasks.update(access, newId(), { status: 'DONE' })
    platform.sent.splice(0)
    await desk.ports.callbackTasks.update(access, newId(), {})
    expect(await desk.ports.callbackTasks.byIds(access, [])).toEqual(new Map())
    expect(platform.sent).toEqual([])
    const { id } = await write()
    const cancelled = desk.ports.callbackTasks.byIds(access, [id], AbortSignal.abort())
    await expect(cancelled).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
    expect(await desk.ports.callbackTasks.byIds(access, [id, newId()])).toEqual(
      new Map([[id, { isDone: false, dueAt: null, assigneeId: null }]]),
    )
  })
})

test('a field that the platform does not know any more is looked up again, once in half a minute', async () => {
  const read = () => desk.ports.records.list(access, 'lead', { fields: ['name'], filter: () => ({}), first: 1 })
  const unknown = () => platform.fail(/leads\(/, platformRefusal('Object lead doesn\'t have any "x" field.'))
  const shapes = () => platform.sent.splice(0).filter((document) => document.includes('__type')).length
  await desk.ports.records.object(access, 'agent')
  clock.advance(60_000)
  await read()
  expect(shapes()).toBe(1)
  clock.advance(29_999)
  unknown()
  expect([(await read()).length, shapes()]).toEqual([1, 0])
  clock.advance(1)
  unknown()
  expect([(await read()).length, shapes()]).toEqual([1, 1])
  expect((await desk.ports.records.object(access, 'agent'))?.column('providerAgentId')).toBe('providerAgentId')
  shapes()
  // The agent was looked up a minute and a half ago, the lead now.
  clock.advance(59_999)
  await read()
  expect(shapes()).toBe(0)
  clock.advance(1)
  await read()
  expect(shapes()).toBe(1)
  unknown()
  unknown()
  await expect(read()).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  platform.fail(/leads\(/, platformRefusal('something else'))
  await expect(read()).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  expect(await read()).toHaveLength(1)
})

test('the directory of agents is read again after five minutes, or after a failure', async () => {
  const read = () => desk.ports.agentDirectory.recordOf(access, 'agent1')
  const requests = () => platform.sent.splice(0).filter((document) => /agents\(/.test(document)).length
  platform.fail(/agents\(/, away())
  await expect(read()).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(await read()).toMatchObject({ id: agentId() })
  expect(requests()).toBe(2)
  clock.advance(299_999)
  await read()
  expect(requests()).toBe(0)
  clock.advance(1)
  expect([(await read())?.providerAgentId, requests()]).toEqual(['agent1', 1])
})

test('a workspace without the fields of an insight has it in one note for each lead', async () => {
  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  const fields = { ...objects.lead.fields, aiSummary: 'noSuchField' }
  desk.configure('platform', { objects: { ...objects, lead: { ...objects.lead, fields } } })
  const write = (id: string, summary: string) =>
    desk.ports.insightRecords.write(access, id, { summary, suggestedAction: 'CALL_BACK', writtenAt: '2026-01-01T00:00:00.000Z' })
  const [one, other] = records('lead', {}).map(({ id }) => String(id))
  for (const summary of ['first', 'second']) await write(one ?? '', summary)
  await write(other ?? '', 'third')
  await expect(write(newId(), 'none')).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  const notes = records('note', { title: { eq: 'Call insight' } }).map(({ bodyV2 }) => JSON.stringify(bodyV2))
  expect(notes).toHaveLength(2)
  expect(notes.join(' ')).toMatch(/second.*call back.*third|third.*call back.*second/)
  desk.configure('platform', { objects })
})

test('a lead that does not exist gets no insight, and nothing is asked about no leads', async () => {
  await expect(
    desk.ports.insightRecords.write(access, newId(), { summary: 's', suggestedAction: 'CALL_BACK', writtenAt: '2026-01-01T00:00:00.000Z' }),
  ).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  platform.sent.splice(0)
  expect(await desk.ports.insightRecords.readable(access, [])).toEqual(new Set())
  expect(await desk.ports.leadRecords.byPhones(access, [])).toEqual(new Map())
  expect(await desk.ports.teamAgents.ofMembers(access, [])).toEqual(new Map())
  expect(platform.sent).toEqual([])
  expect(await desk.ports.insightRecords.readable(access, [leadId(), newId()])).toEqual(new Set([leadId()]))
})

test('an object that is missing is looked up again after five seconds', async () => {
  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  desk.configure('platform', { objects: { ...objects, agent: { ...objects.agent, singular: 'operator', plural: 'operators' } } })
  const lookUps = async () => {
    expect(await desk.ports.records.object(access, 'agent')).toBeNull()
    return platform.sent.splice(0).length
  }
  expect(await lookUps()).toBe(1)
  clock.advance(4_999)
  expect(await lookUps()).toBe(0)
  clock.advance(1)
  expect(await lookUps()).toBe(1)
  desk.configure('platform', { objects })
})

test('after a refusal for its rate limit, the requests of the API key wait; looking up fields does not', async () => {
  const service = asService(desk.workspaceId, 'WEBHOOKS')
  const list = (signal?: AbortSignal) =>
    desk.ports.records.list(service, 'lead', { fields: [], filter: () => ({}), first: 1, ...(signal && { signal }) })
  const refuse = (limit: string) => {
    platform.fail(/leads\(/, platformRefusal(`Limit reached (${limit})`, { code: 'BAD_USER_INPUT', subCode: 'LIMIT_REACHED' }))
    return expect(list()).rejects.toMatchObject({ reason: 'OVERLOADED' })
  }
  await refuse('10 tokens per 60000 ms')
  clock.advance(60_000)
  platform.sent.splice(0)
  expect(await list()).toHaveLength(1)
  await refuse('10 tokens per 0 ms')
  clock.advance(60_000)
  expect(await list()).toHaveLength(1)
  await refuse('0 tokens per 60000 ms')
  const leaving = new AbortController()
  const waiting = list(leaving.signal)
  await desk.ports.records.object(service, 'doctor')
  leaving.abort()
  await expect(waiting).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  expect(platform.sent.filter((document) => document.includes('leads('))).toHaveLength(4)
  clock.advance(60_000)
  expect(await list()).toHaveLength(1)
})

describe("a lead's activity", () => {
  const read = (who: RecordAccess = access) => desk.ports.leadActivity.read(who, leadId())
  const denied = () => platformRefusal('Entity may not', { code: 'FORBIDDEN', subCode: 'PERMISSION_DENIED' })
  /** The whole lead in one request, or its lists one by one. */
  const isWhole = () => {
    const documents = platform.sent.splice(0)
    return documents.some((document) => document.startsWith('query($filter: LeadFilterInput) {'))
  }

  test('is read list by list after a refusal, by this kind of actor only; another failure is an error', async () => {
    const whole = await read()
    expect(isWhole()).toBe(true)
    platform.fail(/^query\(\$filter: LeadFilterInput\) \{/, away())
    await expect(read()).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
    isWhole()
    platform.fail(/^query\(\$filter: LeadFilterInput\) \{/, denied())
    const separate = await read()
    expect(separate).toMatchObject({ lead: whole?.lead, calls: whole?.calls, unavailable: [] })
    isWhole()
    await read()
    expect(isWhole()).toBe(false)
    for (const [document, part] of [
      [/^query\(.*\s+calls\(/, 'CALLS'],
      [/visitSlots\(/, 'VISITS'],
    ] as const) {
      platform.fail(document, denied())
      expect((await read())?.unavailable).toEqual([part])
      platform.fail(document, away())
      await expect(read()).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
    }
    isWhole()
    await read(asService(desk.workspaceId, 'INSIGHTS'))
    expect(isWhole()).toBe(true)
  })

  test('has the visits of ninety days; a list that may be longer is read by itself', async () => {
    const service = asService(desk.workspaceId, 'INSIGHTS')
    const at = (ms: number) => new Date(clock.now() - 90 * 86_400_000 + ms).toISOString()
    for (const [name, ms] of [
      ['too old', -1],
      ['just in time', 0],
    ] as const)
      await desk.ports.records.create(asPerson(desk.workspaceId, manager), 'visitSlot', {
        id: newId(),
        values: { title: name, startsAt: at(ms), endsAt: at(ms + 60_000), state: 'BOOKED', leadId: leadId() },
      })
    const before = await read(service)
    const early = before?.visits.filter(({ startsAt }) => startsAt <= at(0))
    expect(early).toMatchObject([{ startsAt: at(0) }])
    const known = before?.calls.length ?? 0
    const write = (count: number) =>
      desk.ports.callRecords.writeMany(
        access,
        Array.from({ length: count }, (_, index) => call(`many-${count}-${index}`, { leadId: leadId() })),
      )
    await write(59 - known)
    const readsCalls = async () => {
      platform.sent.splice(0)
      await read(service)
      return platform.sent.some((document) => /\$orderBy[^{]*\{\s+calls\(/.test(document))
    }
    expect(await readsCalls()).toBe(false)
    await desk.ports.callRecords.write(access, call('sixtieth', { leadId: leadId() }))
    expect(await readsCalls()).toBe(true)
  })
})

test('doctors are read page by page, at most 600; what a workspace lacks is logged once', async () => {
  const fields = [{ name: 'name', type: { kind: 'SCALAR', name: 'String' } }]
  let total = 600
  const documents: string[] = []
  const endpoint: PlatformEndpoint = {
    async request({ document, variables = {}, answer }) {
      if (document.includes('__type')) return answer.parse({ __type: { fields } })
      documents.push(document)
      const offset = Number(/offset: (\d+)/.exec(document)?.[1] ?? 0)
      const rows = Array.from({ length: Math.max(0, Math.min(Number(variables['first']), total - offset)) }, (_, index) => offset + index)
      return answer.parse({ doctors: { edges: rows.map((id) => ({ node: { id: `d${id}`, name: `Dr. ${id}` } })) } })
    },
    onMemberGone: () => undefined,
  }
  const missing: unknown[] = []
  const log = Object.assign(createLog('silent'), { warn: (facts: unknown) => void missing.push(facts) })
  const { configuration, store } = desk
  const { doctorRecords } = createRecordPorts({ endpoint, configuration, store, clock, log })
  const offsets = async () => {
    const doctors = await doctorRecords.doctors(access)
    return [doctors.length, ...documents.splice(0).map((document) => /offset: (\d+)/.exec(document)?.[1] ?? null)]
  }
  expect(await offsets()).toEqual([600, null, '200', '400'])
  const logged = missing.splice(0)
  expect(logged).toContainEqual({ workspaceId: desk.workspaceId, missing: 'doctor.fee' })
  expect(new Set(logged.map((facts) => JSON.stringify(facts))).size).toBe(logged.length)
  total = 399
  expect(await offsets()).toEqual([399, null, '200'])
  total = 1_000
  expect((await offsets())[0]).toBe(600)
  expect(missing).toEqual([])
  await doctorRecords.doctors(asPerson('another', 't'))
  expect(missing).toContainEqual({ workspaceId: 'another', missing: 'doctor.fee' })
})

test('doctors are read without the names of records that the role may not read', async () => {
  const scalar = { kind: 'SCALAR', name: 'String' }
  const id = newId()
  const relation = { name: 'speciality', type: { kind: 'OBJECT', name: 'Speciality' } }
  const fields = ['name', 'specialityId'].map((name) => ({ name, type: scalar }))
  let error: AppError | null = platformRefusal('Entity may not', { code: 'FORBIDDEN', subCode: 'PERMISSION_DENIED' })
  const endpoint: PlatformEndpoint = {
    async request({ document, answer }) {
      if (document.includes('__type')) return answer.parse({ __type: { fields: [...fields, relation] } })
      if (error && document.includes('speciality {')) throw error
      const node = { id: 'd', name: 'Dr. A', specialityId: id, speciality: { id, name: 'Cardiology' } }
      return answer.parse({ doctors: { edges: [{ node }] } })
    },
    onMemberGone: () => undefined,
  }
  const { configuration, store } = desk
  const { doctorRecords } = createRecordPorts({ endpoint, configuration, store, clock, log: createLog('silent') })
  const read = async () => (await doctorRecords.doctors(access)).map(({ name, speciality }) => [name, speciality])
  expect(await read()).toEqual([['Dr. A', null]])
  error = away()
  await expect(read()).rejects.toBe(error)
  error = null
  expect(await read()).toEqual([['Dr. A', 'Cardiology']])
})

test('while the store is away, agents have the standard names; a relation that is missing there proves nothing', async () => {
  const [scalar, relation] = [
    { kind: 'SCALAR', name: 'String' },
    { kind: 'OBJECT', name: 'WorkspaceMember' },
  ]
  const all = [
    { name: 'name', type: scalar },
    { name: 'workspaceMember', type: relation },
    { name: 'workspaceMemberId', type: scalar },
  ]
  const memberId = newId()
  let fields = all
  const endpoint: PlatformEndpoint = {
    request: async ({ document, answer }) =>
      answer.parse(document.includes('__type') ? { __type: { fields } } : { agents: { edges: [{ node: { id: newId(), name: 'Asha' } }] } }),
    onMemberGone: () => undefined,
  }
  const failing = (reason: 'STORE_UNAVAILABLE' | 'UNKNOWN') => {
    const lastKnownConfiguration = { read: () => Promise.reject(new AppError(reason)) }
    const { configuration, store } = desk
    const { agentRecords } = createRecordPorts({ endpoint, configuration, lastKnownConfiguration, store, clock, log: createLog('silent') })
    return agentRecords.ofMember({ workspaceId: newId(), memberId }, 't')
  }
  expect(await failing('STORE_UNAVAILABLE')).toMatchObject({ name: 'Asha', memberId })
  await expect(failing('UNKNOWN')).rejects.toMatchObject({ reason: 'UNKNOWN' })
  fields = all.slice(0, 1)
  await expect(failing('STORE_UNAVAILABLE')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
})
