import { expect, test } from 'vitest'
import { z } from 'zod'
import { derivedId } from '../../src/kernel/ids.ts'
import { asPerson, asService } from '../../src/ports/record-access.ts'
import { createPlatformEndpoint } from '../../src/providers/platform/endpoint.ts'
import type { Filter } from '../../src/providers/platform/filter.ts'
import { createPlatformMembers } from '../../src/providers/platform/members.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'

const operators = new Set(['eq', 'neq', 'in', 'is', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'startsWith'])
const objectSchema = z.record(z.string(), z.unknown())
const requestSchema = z.object({ variables: z.object({ filter: objectSchema.optional() }).optional() })

/** The fields that have another number of operators than one, or an empty list. */
function wrongFields(filter: unknown, path = ''): string[] {
  if (Array.isArray(filter)) return filter.flatMap((part) => wrongFields(part, path))
  const condition = objectSchema.parse(filter)
  const keys = Object.keys(condition)
  const found = keys.filter((key) => operators.has(key))
  if (found.length > 0) return keys.length === 1 && !(Array.isArray(condition['in']) && condition['in'].length === 0) ? [] : [path]
  if (keys.length === 0 && path !== '') return [path]
  return Object.entries(condition).flatMap(([key, value]) => wrongFields(value, `${path}.${key}`))
}

test('each filter that the service sends has exactly one operator per field', async () => {
  await using desk = await createCallsDesk()
  const { accessToken } = await desk.signIn('manager@demo.example')
  const { workspaceId, ports, standIns } = desk
  const [person, service] = [asPerson(workspaceId, accessToken), asService(workspaceId, 'WIDGET')]
  const id = derivedId('nobody')
  const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' }
  const members = createPlatformMembers(
    createPlatformEndpoint({ url: standIns.platform.url, graphqlPath: '/graphql', metadataPath: '/metadata' }),
  )

  standIns.platform.forgetCalls()
  await ports.doctorRecords.doctors(service)
  await ports.doctorRecords.slots(service, { ...range, doctorId: [id, derivedId('other')], leadId: id, first: 10 })
  await ports.doctorRecords.book(service, { slotId: id, leadId: id })
  await ports.callRecords.search(service, range, 10)
  await ports.callRecords.ofLead(service, id, 10)
  await ports.callRecords.withPhone(service, '+919876543210', 10)
  await ports.callRecords.byUcid(service, 'none')
  await ports.leadRecords.byPhone(person, '+919876543210')
  await ports.leadRecords.byPhones(person, ['+919876543210', '+919876543211'])
  await ports.leadRecords.byId(person, id)
  await ports.leadRecords.byIds(person, [id, id, 'none'])
  await ports.leadActivity.read(person, id)
  await ports.insightRecords.readable(person, [id, derivedId('other')])
  await ports.agentDirectory.all(service)
  await ports.teamAgents.ofMembers(person, [id])
  await ports.teamAgents.withValue(person, 'sipExtension', '5001')
  await members.page(person, { first: 10, after: null, search: 'two words' })
  await members.findByEmail(person, 'nobody@demo.example')

  const filters = standIns.platform.calls().flatMap(({ body }) => requestSchema.parse(JSON.parse(body)).variables?.filter ?? [])
  expect(filters.length).toBeGreaterThan(15)
  expect(filters.flatMap((filter) => wrongFields(filter))).toEqual([])
})

test('the compiler refuses two operators on one field', () => {
  const [from, to]: readonly [string, string] = ['1', '2']
  // @ts-expect-error the platform refuses it
  const range: Filter = { startsAt: { gte: from, lt: to } }
  const columns: string = 'startsAt'
  // @ts-expect-error the same with a column that is known at run time
  const dynamic: Filter = { [columns]: { gte: from, ...(to === '2' ? { lt: to } : {}) } }
  expect([wrongFields(range), wrongFields(dynamic)]).toEqual([['.startsAt'], ['.startsAt']])
})

test('asks for no record whose id the platform would refuse', async () => {
  await using desk = await createCallsDesk()
  const access = asService(desk.workspaceId, 'WIDGET')
  desk.standIns.platform.forgetCalls()
  for (const id of ['11111111-1111-8111-8111-111111111111', '11111111-1111-7111-8111-111111111111', 'no id']) {
    expect(await desk.ports.callRecords.byId(access, id)).toBeNull()
    expect(await desk.ports.leadRecords.byId(access, id)).toBeNull()
    expect(await desk.ports.insightRecords.readable(access, [id])).toEqual(new Set())
    expect(await desk.ports.doctorRecords.slots(access, { from: new Date().toISOString(), leadId: id, first: 1 })).toEqual([])
  }
  expect(
    desk.standIns.platform
      .calls()
      .map(({ operation }) => operation)
      .filter((name) => !name.includes('__type')),
  ).toEqual([])
})
