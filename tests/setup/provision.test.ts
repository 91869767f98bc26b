import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestApp, type TestSignIn, createTestApp } from '../harness/app.ts'

const itemSchema = z.object({
  kind: z.enum(['OBJECT', 'FIELD', 'ROLE']),
  name: z.string(),
  state: z.enum(['EXISTS', 'DIFFERS', 'MISSING', 'CREATED', 'FAILED']),
  detail: z.string().nullable(),
})
const resultSchema = z.object({ applied: z.boolean(), complete: z.boolean(), items: z.array(itemSchema) })
type Result = z.output<typeof resultSchema>

/** Names that no object of the workspace has. */
const otherNames = {
  roles: { manager: 'Desk Manager', user: 'Desk User' },
  objects: {
    agent: { singular: 'deskAgent', plural: 'deskAgents' },
    lead: { singular: 'deskLead', plural: 'deskLeads', fields: { aiSummary: 'assistantSummary' } },
    call: { singular: 'deskCall', plural: 'deskCalls' },
    doctor: { singular: 'deskDoctor', plural: 'deskDoctors' },
    visitSlot: { singular: 'deskSlot', plural: 'deskSlots' },
  },
}

const shownModel = z.object({
  data: z.object({
    objects: z.object({
      edges: z.array(
        z.object({ node: z.object({ nameSingular: z.string(), fieldsList: z.array(z.object({ name: z.string(), label: z.string() })) }) }),
      ),
    }),
  }),
})
const shownLists = z.object({
  data: z.object({
    objects: z.object({
      edges: z.array(
        z.object({
          node: z.object({ id: z.string(), nameSingular: z.string(), fieldsList: z.array(z.object({ id: z.string(), name: z.string() })) }),
        }),
      ),
    }),
    getViews: z.array(
      z.object({
        objectMetadataId: z.string(),
        viewFields: z.array(z.object({ fieldMetadataId: z.string(), isVisible: z.boolean(), position: z.number() })),
      }),
    ),
  }),
})
const newField = z.object({
  variables: z.object({
    input: z.object({ field: z.object({ name: z.string(), description: z.string(), icon: z.string() }) }),
  }),
})
const run = promisify(execFile)

let app: TestApp
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp()
  manager = await app.signIn('manager@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

async function provision(apply: boolean): Promise<Result> {
  const { status, body } = await app.rest('POST', '/api/setup/provision', { token: manager.token, body: { apply } })
  expect({ status, body }).toMatchObject({ status: 200 })
  return resultSchema.parse(body)
}

const states = ({ items }: Result): string[] => [...new Set(items.map(({ state }) => state))]

test('creates nothing if everything exists', async () => {
  app.standIns.platform.forgetCalls()
  const result = await provision(true)
  expect(states(result)).toEqual(['EXISTS'])
  expect(app.standIns.platform.calls('create')).toEqual([])
  const { body: audit } = await app.rest('GET', '/api/audit', { token: manager.token })
  expect(JSON.stringify(audit)).not.toContain('platform.provisioned')
  const { data } = await app.graphql('mutation { provision { applied complete items { kind name state detail } } }', {
    token: manager.token,
  })
  expect(data).toEqual({ provision: result })
})

describe('names that the workspace does not have', () => {
  beforeAll(async () => {
    await app.rest('PUT', '/api/config/platform', { token: manager.token, body: { objects: otherNames.objects } })
  })

  test('the plan shows what is missing and changes nothing', async () => {
    const plan = await provision(false)
    expect(plan).toMatchObject({ applied: false, complete: false })
    const missing = plan.items.filter(({ state }) => state === 'MISSING')
    expect(missing.filter(({ kind }) => kind === 'OBJECT').map(({ name }) => name)).toEqual([
      'deskAgent',
      'deskLead',
      'deskCall',
      'deskDoctor',
      'deskSlot',
    ])
    expect(missing.map(({ name }) => name)).toContain('deskLead.assistantSummary')
    expect(plan.items.map(({ name }) => name).filter((name) => /password/i.test(name))).toEqual([])
    expect((await provision(false)).items).toEqual(plan.items)
  })

  test('if the platform fails in the middle, the result names what is missing; a repeated request creates the rest', async () => {
    app.standIns.platform.fault({ operation: 'createOneField', act: 'refuse', status: 500, skip: 5, times: 3 })
    const first = await provision(true)
    app.standIns.platform.clearFaults()
    const failed = first.items.filter(({ state }) => state === 'FAILED')
    expect(failed).toHaveLength(3)
    expect(failed[0]?.detail).toContain('platform')
    expect(states(first).toSorted()).toEqual(['CREATED', 'EXISTS', 'FAILED'])
    const again = await provision(true)
    expect(again.items.filter(({ state }) => state === 'CREATED').map(({ name }) => name)).toEqual(failed.map(({ name }) => name))
    expect(states(await provision(true))).toEqual(['EXISTS'])
  })

  test('the created objects work: records and relations can be written and read', async () => {
    const write = `mutation {
      createDeskAgent(data: { name: "A", sipExtension: "1" }) { id }
      createDeskLead(data: { name: "L", status: NEW, assistantSummary: "s", phones: { primaryPhoneNumber: "+919876543210" } }) { id }
    }`
    const { data, errors } = await app.graphql(write, { token: manager.token })
    expect(errors).toBeUndefined()
    const { createDeskLead: lead } = z.looseObject({ createDeskLead: z.object({ id: z.string() }) }).parse(data)
    const call = `mutation { createDeskCall(data: { ucid: "1", direction: INBOUND, status: MISSED, leadId: "${lead.id}" }) { ucid lead { name } } }`
    expect((await app.graphql(call, { token: manager.token })).data).toEqual({ createDeskCall: { ucid: '1', lead: { name: 'L' } } })
    expect((await app.graphql(call, { token: manager.token })).errors?.[0]?.message).toMatch(/duplicate|unique|exists/i)
    const another = await app.graphql(call.replace('ucid: "1"', 'ucid: "2"'), { token: manager.token })
    expect(another.data).toEqual({ createDeskCall: { ucid: '2', lead: { name: 'L' } } })
  })

  test('users can read the created agent records, and only managers can change them', async () => {
    const { token } = await app.signIn('user@demo.example')
    expect(await app.graphql('{ deskAgents { edges { node { name } } } }', { token })).toMatchObject({
      data: { deskAgents: { edges: [{ node: { name: 'A' } }] } },
    })
    const refused = { errors: [{ extensions: { code: 'FORBIDDEN' } }] }
    expect(await app.graphql('mutation { createDeskAgent(data: { name: "B" }) { id } }', { token })).toMatchObject(refused)
    const change = 'mutation { updateDeskAgents(filter: { name: { eq: "A" } }, data: { name: "C" }) { id } }'
    expect(await app.graphql(change, { token })).toMatchObject(refused)
  })

  test('the created objects look right in the CRM: labels, descriptions and icons', async () => {
    const query =
      '{ objects(paging: { first: 1000 }) { edges { node { nameSingular labelPlural icon fieldsList { name label icon description } } } } }'
    const response = await fetch(`${app.standIns.platform.url}/metadata`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${manager.token}` },
      body: JSON.stringify({ query }),
    })
    const { data } = shownModel.parse(await response.json())
    const fieldsOf = (singular: string) => data.objects.edges.find(({ node }) => node.nameSingular === singular)?.node.fieldsList
    expect(fieldsOf('deskCall')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'ucid', label: 'UCID' }),
        expect.objectContaining({ name: 'did', label: 'DID' }),
        expect.objectContaining({ name: 'durationSeconds', label: 'Duration seconds' }),
      ]),
    )
    expect(fieldsOf('deskLead')).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'assistantSummary', label: 'AI summary' })]),
    )
    const sent = app.standIns.platform.calls('createOneField').map(({ body }) => newField.parse(JSON.parse(body)).variables.input.field)
    expect(sent.filter(({ description, icon }) => description === '' || !icon.startsWith('Icon'))).toEqual([])
    expect(sent.find(({ name }) => name === 'ucid')).toMatchObject({ description: "The call's id at the telephony provider" })
    expect(sent.find(({ name }) => name === 'startedAt')).toMatchObject({ icon: 'IconCalendarClock' })
  })

  test('the lists of the created objects show useful columns', async () => {
    const query = `{
      objects(paging: { first: 1000 }) { edges { node { id nameSingular fieldsList { id name } } } }
      getViews { objectMetadataId key viewFields { fieldMetadataId isVisible position } }
    }`
    const response = await fetch(`${app.standIns.platform.url}/metadata`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${manager.token}` },
      body: JSON.stringify({ query }),
    })
    const { data } = shownLists.parse(await response.json())
    const columnsOf = (singular: string) => {
      const object = data.objects.edges.find(({ node }) => node.nameSingular === singular)?.node
      const list = data.getViews.find(({ objectMetadataId }) => objectMetadataId === object?.id)
      const shown = (list?.viewFields ?? []).filter(({ isVisible }) => isVisible).toSorted((a, b) => a.position - b.position)
      return shown.map(({ fieldMetadataId }) => object?.fieldsList.find(({ id }) => id === fieldMetadataId)?.name)
    }
    expect(columnsOf('deskCall').slice(0, 4)).toEqual(['name', 'startedAt', 'direction', 'status'])
    expect(columnsOf('deskCall')).not.toContain('recording')
    expect(columnsOf('deskLead')).toContain('assistantSummary')
  })

  test('the connection test passes', async () => {
    const { body } = await app.rest('POST', '/api/config/platform/test', { token: manager.token })
    expect(body).toMatchObject({ checks: [{ ok: true }, { name: 'platform.objects', ok: true }, { ok: true }, { ok: true }, { ok: true }] })
  })

  test('the creation is in the audit log', async () => {
    const { body } = await app.rest('GET', '/api/audit', { token: manager.token })
    expect(JSON.stringify(body)).toContain('platform.provisioned')
  })
})

describe('roles', () => {
  test('are created with their configured names', async () => {
    const before = app.standIns.platform.calls('createOneRole').length
    await app.rest('PUT', '/api/config/platform', { token: manager.token, body: { roles: { user: otherNames.roles.user } } })
    const result = await provision(true)
    expect(result.items.filter(({ kind }) => kind === 'ROLE')).toEqual([
      { kind: 'ROLE', name: 'Manager', state: 'EXISTS', detail: null },
      { kind: 'ROLE', name: 'Desk User', state: 'CREATED', detail: null },
    ])
    expect(app.standIns.platform.calls('createOneRole').length).toBe(before + 1)
    expect(states(await provision(true))).toEqual(['EXISTS'])
  })
})

test('a field of another type or without a needed option is reported and not changed', async () => {
  const names = {
    objects: {
      lead: { ...otherNames.objects.lead, fields: { source: 'phones', status: 'name' } },
      call: { fields: { direction: 'status' } },
    },
  }
  await app.rest('PUT', '/api/config/platform', { token: manager.token, body: names })
  const { items } = await provision(true)
  expect(items.filter(({ state }) => state === 'DIFFERS').map(({ name, detail }) => [name, detail])).toEqual([
    ['deskLead.phones', 'is of type PHONES, not TEXT or SELECT'],
    ['deskCall.status', 'lacks the options INBOUND, OUTBOUND'],
  ])
})

test('a relation to another object, or to many records, is reported and not changed', async () => {
  const names = {
    objects: {
      lead: { singular: 'deskLead', plural: 'deskLeads' },
      doctor: { singular: 'doctor', plural: 'doctors' },
      visitSlot: { singular: 'visitSlot', plural: 'visitSlots', fields: { lead: 'doctor', doctor: 'lead' } },
      agent: { singular: 'agent', plural: 'agents', fields: { workspaceMember: 'calls' } },
    },
  }
  await app.rest('PUT', '/api/config/platform', { token: manager.token, body: names })
  const { items } = await provision(true)
  const relations = items.filter(({ name }) => /^(visitSlot|agent)[.]/.test(name))
  expect(relations.filter(({ state }) => state === 'DIFFERS').map(({ name, detail }) => [name, detail])).toEqual([
    ['agent.calls', 'is not a relation to one workspaceMember'],
    ['visitSlot.lead', 'leads to lead, not doctor'],
    ['visitSlot.doctor', 'leads to doctor, not deskLead'],
  ])
})

test('the command shows the plan, creates what is missing and reports it, with the rights of the named manager', async () => {
  await app.rest('POST', '/api/config/platform/reset', { token: manager.token })
  await app.rest('PUT', '/api/config/platform', {
    token: manager.token,
    body: { objects: { doctor: { singular: 'physician', plural: 'physicians' }, visitSlot: { singular: 'visit', plural: 'visits' } } },
  })
  const command = (...more: string[]) =>
    run(process.execPath, ['src/commands/provision.ts', '--workspace', 'demo', '--address', app.url, ...more], {
      env: { ...process.env, PROVISION_PASSWORD: 'sandbox-password' },
    })
  const plan = await command('--email', 'manager@demo.example', '--plan')
  expect(plan.stdout).toMatch(/missing +physician\b/)
  expect(plan.stdout).not.toContain('created')
  const created = await command('--email', 'manager@demo.example')
  expect(created.stdout).toMatch(/created +physician\b/)
  expect(created.stdout).toMatch(/created +physician\.speciality\b/)
  const again = await command('--email', 'manager@demo.example')
  expect(again.stdout).toContain('Everything exists')
  expect(again.stdout).not.toContain('Next:')
  await expect(command('--email', 'user@demo.example')).rejects.toThrow('FORBIDDEN')
  await expect(command()).rejects.toThrow('--email')
})

test('only managers may provision, and an invalid body is refused', async () => {
  const user = await app.signIn('user@demo.example')
  expect((await app.rest('POST', '/api/setup/provision', { token: user.token, body: { apply: true } })).status).toBe(403)
  expect((await app.rest('POST', '/api/setup/provision', { body: { apply: true } })).status).toBe(401)
  const answer = await app.rest('POST', '/api/setup/provision', { token: manager.token, body: { apply: 'yes' } })
  expect(answer).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'apply' }] } } })
})

test('an object whose list cannot be arranged is created all the same, and says so', async () => {
  await using fresh = await createTestApp({ hasFreshPlatform: true })
  const { token } = await fresh.signIn('manager@demo.example')
  fresh.standIns.platform.fault({ operation: 'getViews', act: 'refuse', status: 503 })
  const { body } = await fresh.rest('POST', '/api/setup/provision', { token, body: { apply: true } })
  const { complete, items } = resultSchema.parse(body)
  expect(complete).toBe(true)
  const lead = items.find(({ kind, name }) => kind === 'OBJECT' && name === 'lead')
  expect(lead?.state).toBe('CREATED')
  expect(lead?.detail).toContain('The columns of its list could not be arranged')
})
