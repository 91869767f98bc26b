import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import type { CallValues } from '../../src/ports/records/call.ts'
import { asService } from '../../src/ports/record-access.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createPlatformClient } from '../harness/platform-client.ts'

let desk: CallsDesk
beforeEach(async () => {
  desk = await createCallsDesk()
})
afterEach(() => desk[Symbol.asyncDispose]())

const access = () => asService(desk.workspaceId, 'WEBHOOKS')
const recordOf = (ucid: string) => desk.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })[0]
const write = (ucids: readonly string[], values: CallValues) =>
  desk.ports.callRecords.writeMany(
    access(),
    ucids.map((ucid) => ({ ucid, values })),
  )

async function onPlatform(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const token = desk.standIns.platform.apiKeyOf('demo')
  const answer = await createPlatformClient(desk.standIns.platform).ask('/graphql', query, { token, variables })
  expect(answer).not.toHaveProperty('errors')
}

test.each([1, 3])('a call record that somebody deleted stays deleted, and the others of its batch of %s are written', async (count) => {
  const [deleted = '', ...others] = Array.from({ length: count }, () => newId())
  await write([deleted, ...others], { status: 'ANSWERED' })
  await onPlatform(`mutation { deleteCall(id: "${String(recordOf(deleted)?.['id'])}") { id } }`)
  expect(recordOf(deleted)).toBeUndefined()
  await write([deleted, ...others], { status: 'COMPLETED', recordingUrl: 'https://recordings.example/1.wav' })
  expect(recordOf(deleted)).toBeUndefined()
  for (const ucid of others) expect(recordOf(ucid)).toMatchObject({ status: 'COMPLETED' })
})

test.each([1, 2])('label and further links of a recording stay when its address is written, in a batch of %s', async (count) => {
  const ucids = Array.from({ length: count }, () => newId())
  await write(ucids, { status: 'ANSWERED' })
  const recording = { primaryLinkUrl: '', primaryLinkLabel: 'Take one', secondaryLinks: [{ url: 'https://notes.example', label: 'Notes' }] }
  const update = 'mutation ($id: UUID!, $data: CallUpdateInput!) { updateCall(id: $id, data: $data) { id } }'
  const first = { ...recording, primaryLinkUrl: 'https://recordings.example/first.wav' }
  for (const ucid of ucids) await onPlatform(update, { id: recordOf(ucid)?.['id'], data: { recording: first } })
  await write(ucids, { status: 'COMPLETED', recordingUrl: 'https://recordings.example/1.wav' })
  for (const ucid of ucids) {
    expect(recordOf(ucid)).toMatchObject({ recording: { ...recording, primaryLinkUrl: 'https://recordings.example/1.wav' } })
  }
})

test('a record that another program created for the call is changed, and none is created beside it', async () => {
  const ucids = [newId(), newId()]
  const [taken] = ucids
  const create = 'mutation ($data: CallCreateInput!) { createCall(data: $data) { id } }'
  const id = newId()
  await onPlatform(create, { data: { id, ucid: taken, name: 'Ours' } })
  await write(ucids, { status: 'COMPLETED' })
  expect(desk.standIns.platform.records('demo', 'call', { ucid: { in: ucids } })).toHaveLength(2)
  expect(recordOf(taken ?? '')).toMatchObject({ id, name: 'Ours', status: 'COMPLETED' })
})
