import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { asPerson, asService } from '../../src/ports/record-access.ts'
import { newId } from '../../src/kernel/ids.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createPlatformClient } from '../harness/platform-client.ts'

let desk: CallsDesk
beforeEach(async () => {
  desk = await createCallsDesk()
})
afterEach(() => desk[Symbol.asyncDispose]())

const createdObject = z.object({ data: z.object({ createOneObject: z.object({ id: z.string() }) }) })
const createObject = 'mutation ($object: CreateObjectInput!) { createOneObject(input: { object: $object }) { id } }'
const createField = 'mutation ($input: CreateOneFieldMetadataInput!) { createOneField(input: $input) { id } }'
const choices = (values: readonly string[]) => values.map((value, position) => ({ value, label: value, color: 'blue', position }))
const soon = new Date(Date.now() + 3_600_000).toISOString()

/** A data model of a workspace's own, made and filled over the platform's API as its admin does. */
async function foreignWorkspace() {
  const client = createPlatformClient(desk.standIns.platform)
  const { access: token } = await client.signIn('manager')
  const object = async (singular: string): Promise<string> => {
    const names = { nameSingular: singular, namePlural: `${singular}s`, labelSingular: singular, labelPlural: `${singular}s` }
    return createdObject.parse(await client.ask('/metadata', createObject, { token, variables: { object: names } })).data.createOneObject.id
  }
  const field = async (objectMetadataId: string, name: string, rest: Readonly<Record<string, unknown>>): Promise<void> => {
    const input = { field: { objectMetadataId, name, label: name, isNullable: true, ...rest } }
    expect(await client.ask('/metadata', createField, { token, variables: { input } })).not.toHaveProperty('errors')
  }
  const relation = (targetObjectMetadataId: string, targetFieldLabel: string) => ({
    type: 'RELATION',
    relationCreationPayload: { type: 'MANY_TO_ONE', targetObjectMetadataId, targetFieldLabel, targetFieldIcon: 'IconList' },
  })
  const [clinic, physician, opening] = [await object('clinic'), await object('physician'), await object('opening')]
  await field(physician, 'fullName', { type: 'FULL_NAME' })
  await field(physician, 'department', { type: 'SELECT', options: choices(['GENERAL_MEDICINE', 'ENT']) })
  await field(physician, 'tongues', { type: 'MULTI_SELECT', options: choices(['ENGLISH', 'HINDI']) })
  await field(physician, 'price', { type: 'CURRENCY' })
  await field(physician, 'clinic', relation(clinic, 'physicians'))
  await field(opening, 'beginsAt', { type: 'DATE_TIME' })
  await field(opening, 'status', { type: 'SELECT', options: choices(['FREE', 'BOOKED', 'CANCELLED']) })
  await field(opening, 'physician', relation(physician, 'openings'))

  const create = async (type: string, data: Readonly<Record<string, unknown>>): Promise<void> => {
    const query = `mutation ($data: ${type}CreateInput!) { create${type}(data: $data) { id } }`
    expect(await client.ask('/graphql', query, { token, variables: { data } })).not.toHaveProperty('errors')
  }
  const ids = { clinic: newId(), physician: newId(), free: newId(), cancelled: newId() }
  await create('Clinic', { id: ids.clinic, name: 'Lakeside, second floor' })
  await create('Physician', {
    id: ids.physician,
    fullName: { firstName: 'Meera', lastName: 'Iyer' },
    department: 'GENERAL_MEDICINE',
    tongues: ['ENGLISH', 'HINDI'],
    price: { amountMicros: 750_500_000, currencyCode: 'INR' },
    clinicId: ids.clinic,
  })
  await create('Opening', { id: ids.free, name: 'Morning', beginsAt: soon, status: 'FREE', physicianId: ids.physician })
  await create('Opening', { id: ids.cancelled, beginsAt: soon, status: 'CANCELLED' })

  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  const { doctor, visitSlot } = objects
  desk.configure('platform', {
    objects: {
      ...objects,
      doctor: {
        singular: 'physician',
        plural: 'physicians',
        fields: { ...doctor.fields, name: 'fullName', speciality: 'department', languages: 'tongues', fee: 'price' },
      },
      visitSlot: {
        singular: 'opening',
        plural: 'openings',
        fields: { ...visitSlot.fields, doctor: 'physician', startsAt: 'beginsAt', state: 'status' },
      },
    },
  })
  return { ids, token }
}

test('reads a workspace with its own names, choices, currencies and relations', async () => {
  const { ids, token } = await foreignWorkspace()
  const { doctorRecords: doctors } = desk.ports
  const expected = {
    id: ids.physician,
    name: 'Meera Iyer',
    speciality: 'General Medicine',
    clinic: 'Lakeside, second floor',
    languages: ['English', 'Hindi'],
    fee: 750.5,
    active: true,
  }
  expect(await doctors.doctors(asPerson(desk.workspaceId, token))).toEqual([expected])
  // The platform refuses a whole root field for one relation that the role may not read (Twenty 2.21, recorded).
  const refusal = { message: 'no permission', extensions: { code: 'FORBIDDEN', subCode: 'PERMISSION_DENIED' } }
  const body = JSON.stringify({ data: { physicians: null }, errors: [refusal] })
  desk.standIns.platform.fault({ operation: 'physicians', act: 'refuse', status: 200, body, times: 1 })
  expect(await doctors.doctors(asPerson(desk.workspaceId, token))).toEqual([{ ...expected, clinic: null }])
  const access = asService(desk.workspaceId, 'WIDGET')
  const slots = await doctors.slots(access, { from: new Date().toISOString(), first: 10 })
  expect(new Map(slots.map(({ id, doctorId, durationMinutes, state }) => [id, { doctorId, durationMinutes, state }]))).toEqual(
    new Map([
      [ids.free, { doctorId: ids.physician, durationMinutes: 15, state: 'FREE' }],
      [ids.cancelled, { doctorId: null, durationMinutes: 15, state: 'HELD' }],
    ]),
  )
  const book = (slotId: string) => doctors.book(access, { slotId, leadId: newId() })
  expect([await book(ids.cancelled), await book(ids.free), await book(ids.free)]).toEqual([
    { booked: false },
    { booked: true },
    { booked: false },
  ])
  expect(desk.standIns.platform.records('demo', 'opening', { id: { eq: ids.free } })).toMatchObject([{ status: 'BOOKED' }])
})

test('reads and books on version 1.3 of the platform', async () => {
  await desk.standIns.platform.setVersion('1.3')
  const { apiKey: _former, ...section } = await desk.configuration.read(desk.standIns.platform.workspaceIdOf('demo'), 'platform')
  desk.configure('platform', { ...section, apiKey: desk.standIns.platform.apiKeyOf('demo') })
  const access = asService(desk.standIns.platform.workspaceIdOf('demo'), 'WIDGET')
  const { doctorRecords: doctors } = desk.ports
  expect(await doctors.doctors(access)).toHaveLength(5)
  const slot = (await doctors.slots(access, { from: new Date().toISOString(), first: 50 })).find(({ state }) => state === 'FREE')
  const leadIds = desk.standIns.platform.records('demo', 'lead').map(({ id }) => String(id))
  const answers = await Promise.all(leadIds.map((leadId) => doctors.book(access, { slotId: slot?.id ?? '', leadId })))
  const winner = leadIds[answers.findIndex(({ booked }) => booked)]
  expect(answers.filter(({ booked }) => booked)).toHaveLength(1)
  expect(desk.standIns.platform.records('demo', 'visitSlot', { id: { eq: slot?.id } })).toMatchObject([{ state: 'BOOKED', leadId: winner }])
})
