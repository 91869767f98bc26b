import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
let aheadMs = 0

beforeAll(async () => {
  app = await createTestApp({ clock: { now: () => Date.now() + aheadMs }, receivesWebhooks: true })
  app.standIns.telephony.accountMode({ mode: 'token' })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

const entrySchema = z.object({
  id: z.string(),
  phoneNumber: z.string(),
  leadId: z.string().nullable(),
  dueAt: z.string(),
  missedCount: z.number(),
  callbacks: z.array(z.object({ id: z.string(), ucid: z.string(), at: z.string(), taskId: z.string() })),
  assignee: z.object({ memberId: z.string() }).nullable(),
})

async function entryOf(phoneNumber: string, query = '?includeLater=true') {
  const { body } = await app.rest('GET', `/api/calls/worklist${query}`, { token: agent.token })
  return z
    .array(entrySchema)
    .parse(body)
    .find((entry) => entry.phoneNumber === phoneNumber)
}

const answeredSchema = z.object({ call: z.object({ phase: z.string() }) })

/** A call that the agent has answered and that has ended, as the service knows it. */
async function talk(from: string): Promise<string> {
  const { ucid } = app.standIns.telephony.inboundCall({ from, agentId: 'agent1' })
  await waitFor(async () => {
    const { body } = await app.rest('POST', '/api/calls/lookup?enrich=false', { token: agent.token, body: { ucid } })
    return answeredSchema.safeParse(body).data?.call.phase === 'COMPLETED'
  })
  return ucid
}

async function dispose(ucid: string, callBackAt?: string): Promise<void> {
  const body = { disposition: 'Call Back Later', ...(callBackAt ? { callBackAt } : {}), next: { state: 'READY' } }
  const send = () => app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body })
  expect(await send()).toMatchObject({ status: 200 })
}

const inHours = (hours: number): string => new Date(Date.now() + aheadMs + hours * 3_600_000).toISOString()
const taskRecord = (id: string) => app.standIns.platform.records('demo', 'task', { id: { eq: id } })[0]
const written = (id: string) => waitFor(() => taskRecord(id), { what: 'the task' })

async function updateTask(id: string, data: Readonly<Record<string, unknown>>): Promise<void> {
  const query = 'mutation ($id: UUID!, $data: TaskUpdateInput!) { updateTask(id: $id, data: $data) { id } }'
  expect((await app.graphql(query, { token: agent.token, variables: { id, data } })).errors).toBeUndefined()
}

/** The task is on the platform, and the service knows it. */
async function scheduled(from: string, callBackAt: string) {
  const ucid = await talk(from)
  await dispose(ucid, callBackAt)
  const entry = await waitFor(() => entryOf(from))
  const taskId = entry.callbacks[0]?.taskId ?? ''
  expect(entry.callbacks[0]).toMatchObject({ id: taskId, ucid })
  return { ucid, entry, taskId, task: await written(taskId) }
}

test('a scheduled callback is one task on the platform: for the lead and the agent, due, in plain words', async () => {
  const from = '+919876543210'
  const callBackAt = inHours(24)
  const { ucid, entry, taskId, task } = await scheduled(from, callBackAt)
  const lead = app.standIns.platform.records('demo', 'lead', { id: { eq: entry.leadId ?? '' } })[0]
  expect(task).toMatchObject({
    status: 'TODO',
    dueAt: callBackAt,
    assigneeId: agent.memberId,
    title: `Call back ${String(lead?.['name'])}`,
  })
  const targets = () => app.standIns.platform.records('demo', 'taskTarget', { taskId: { eq: taskId } })
  await waitFor(() => targets().length === 1)
  expect(Object.values(targets()[0] ?? {})).toContain(entry.leadId)
  expect(entry).toMatchObject({ missedCount: 0, dueAt: callBackAt, assignee: { memberId: agent.memberId } })
  await dispose(ucid, callBackAt)
  // The provider's record of this call comes after the disposition; the callback stays.
  await waitFor(() => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })[0]?.['recording'])
  expect((await entryOf(from))?.callbacks.length).toBe(1)
  expect(await entryOf(from, '')).toBeUndefined()
  expect(app.standIns.platform.records('demo', 'task', {}).filter(({ dueAt }) => dueAt === callBackAt).length).toBe(1)
  const lookup = await app.rest('POST', '/api/calls/lookup?enrich=false', { token: agent.token, body: { phoneNumber: from } })
  const { openItems } = z.object({ openItems: z.array(z.object({ kind: z.string(), dueAt: z.string().nullable() })) }).parse(lookup.body)
  expect(openItems.filter(({ dueAt }) => dueAt === callBackAt).map(({ kind }) => kind)).toEqual(['CALL_BACK'])
})

test('an outbound call that was answered settles an earlier callback: the task is done; one that was scheduled in that call stays', async () => {
  const from = '+919811200002'
  const { taskId } = await scheduled(from, inHours(1))
  const dial = await waitFor(async () => {
    const answer = await app.rest('POST', '/api/calls/dial', { token: agent.token, body: { phoneNumber: from } })
    return answer.status === 200 ? answer : null
  })
  await waitFor(() => taskRecord(taskId)?.['status'] === 'DONE')
  const { ucid } = z.object({ ucid: z.string() }).parse(dial.body)
  const again = inHours(48)
  await dispose(ucid, again)
  const record = () => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })[0]
  await waitFor(() => record()?.['status'] === 'COMPLETED' && record()?.['recording'])
  expect((await entryOf(from))?.callbacks).toMatchObject([{ ucid, at: again }])
  const next = await waitFor(() => entryOf(from))
  expect(await written(next.callbacks[0]?.taskId ?? '')).toMatchObject({ status: 'TODO', dueAt: again })
})

test('respects what somebody does with the task on the platform', async () => {
  const from = '+919811200003'
  const { entry, taskId, task } = await scheduled(from, inHours(5))
  expect(task['title']).toBe(`Call back ${from}`)
  const moved = inHours(-1)
  // A change here that is still to be written counts first; then the platform's.
  await waitFor(async () => {
    await updateTask(taskId, { dueAt: moved, assigneeId: manager.memberId })
    return (await entryOf(from))?.dueAt === moved
  })
  expect(await entryOf(from)).toMatchObject({ dueAt: moved, assignee: { memberId: manager.memberId } })
  expect((await entryOf(from, ''))?.id).toBe(entry.id)
  await updateTask(taskId, { status: 'DONE' })
  const refused = await app.rest('POST', `/api/calls/worklist/${entry.id}/claim`, { token: agent.token })
  expect(refused).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE' } })
  expect(await entryOf(from)).toBeUndefined()
})

test('a manager who assigns and moves a callback changes its task; closing it completes the task', async () => {
  const from = '+919811200004'
  const { entry, taskId } = await scheduled(from, inHours(5))
  const put = (part: string, body: unknown) => app.rest('PUT', `/api/calls/worklist/${entry.id}/${part}`, { token: manager.token, body })
  const other = app.standIns.platform.records('demo', 'agent', {}).find((record) => record['workspaceMemberId'] !== agent.memberId)
  expect(await put('assignee', { agentId: other?.['id'] })).toMatchObject({ status: 200 })
  const dueAt = inHours(2)
  expect(await put('due', { dueAt })).toMatchObject({ status: 200 })
  await waitFor(() => taskRecord(taskId)?.['dueAt'] === dueAt)
  await waitFor(() => taskRecord(taskId)?.['assigneeId'] === other?.['workspaceMemberId'])
  expect(await entryOf(from)).toMatchObject({ dueAt, assignee: { memberId: other?.['workspaceMemberId'] } })
  const done = await app.rest('POST', `/api/calls/worklist/${entry.id}/done`, { token: agent.token, body: { outcome: 'NOT_NEEDED' } })
  expect(done).toMatchObject({ status: 200, body: { status: 'CLOSED', callbacks: [] } })
  await waitFor(() => taskRecord(taskId)?.['status'] === 'DONE')
})

test('makes one task although the answer to its creation was lost', async () => {
  const from = '+919811200005'
  app.standIns.platform.fault({ operation: 'createTask', act: 'cutAfter', times: 1 })
  const callBackAt = inHours(3)
  const { entry, taskId } = await scheduled(from, callBackAt)
  await waitFor(() => /"list":"callback-tasks".*due-work\.failed/.test(app.logged.join('')))
  // Until the write is repeated, what a manager sets here counts.
  const dueAt = inHours(4)
  const body = { dueAt }
  expect(await app.rest('PUT', `/api/calls/worklist/${entry.id}/due`, { token: manager.token, body })).toMatchObject({ status: 200 })
  aheadMs += 31_000
  await waitFor(() => taskRecord(taskId)?.['dueAt'] === dueAt)
  const tasks = app.standIns.platform.records('demo', 'task', {}).filter(({ title }) => title === `Call back ${from}`)
  expect(tasks.length).toBe(1)
})

/** The service knows that the platform has the task; from then on the task counts. */
async function moved(from: string, taskId: string, dueAt: string): Promise<void> {
  await waitFor(async () => {
    await updateTask(taskId, { dueAt })
    return (await entryOf(from))?.dueAt === dueAt
  })
}

test('lists a person as due when the task is moved on the platform, earlier or later', async () => {
  const from = '+919811200006'
  const { taskId } = await scheduled(from, inHours(5))
  await moved(from, taskId, inHours(4))
  await updateTask(taskId, { dueAt: inHours(-1) })
  expect(await entryOf(from, '')).toMatchObject({ phoneNumber: from })
  await updateTask(taskId, { dueAt: inHours(2) })
  expect(await entryOf(from, '')).toBeUndefined()
})

test('a person whose task was completed on the platform is dialled like any other number', async () => {
  const from = '+919811200007'
  const { taskId } = await scheduled(from, inHours(5))
  await moved(from, taskId, inHours(4))
  await updateTask(taskId, { status: 'DONE' })
  const body = { phoneNumber: from, via: 'OUTBOUND', agentPhoneNumber: '98450 12345' }
  const dialled = await waitFor(async () => {
    const answer = await app.rest('POST', '/api/calls/dial', { token: agent.token, body })
    return /wrap-up|on a call|no disposition/.test(JSON.stringify(answer.body)) ? null : answer
  })
  expect(dialled).toMatchObject({ status: 200 })
})
