import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { containing } from '../harness/team-desk.ts'

let app: TestApp
let admin: string
let member: string
let guest: string
beforeAll(async () => {
  app = await createTestApp({ hasFreshPlatform: true })
  admin = (await app.signIn('manager@demo.example')).token
  member = (await app.signIn('user@demo.example')).token
  guest = (await app.signIn('guest@demo.example')).token
})
afterAll(() => app[Symbol.asyncDispose]())

const planSchema = z.object({ items: z.array(z.object({ kind: z.string(), name: z.string(), state: z.string() })) })
const rolesIn = (plan: unknown) => planSchema.parse(plan).items.filter(({ kind }) => kind === 'ROLE')
const me = async (token: string) => app.rest('GET', '/auth/me', { token })
const configure = async (roles: object, token = admin): Promise<void> => {
  const { status, body } = await app.rest('PUT', '/api/config/platform', { token, body: { roles } })
  expect({ status, body }).toMatchObject({ status: 200 })
}

describe('on a fresh platform', () => {
  test('an Admin is a manager, a Member is a user, and a Guest is nothing', async () => {
    expect(await me(admin)).toMatchObject({ status: 200, body: { role: 'MANAGER' } })
    expect(await me(member)).toMatchObject({ status: 200, body: { role: 'USER' } })
    expect(await me(guest)).toMatchObject({ status: 403, body: { reason: 'ROLE_MISSING' } })
  })

  test('an Admin is a manager by the standard name alone if the platform does not show the rights of a role', async () => {
    const noSuchField = { errors: [{ message: 'Cannot query field "canUpdateAllSettings" on type "Role".' }] }
    await using old = await createTestApp({ hasFreshPlatform: true })
    const fault = { act: 'refuse', status: 200, body: JSON.stringify(noSuchField), contentType: 'application/json', times: 1 } as const
    old.standIns.platform.fault({ operation: 'currentUser', ...fault })
    const { token } = await old.signIn('manager@demo.example')
    expect(old.standIns.platform.calls('currentUser').map(({ body }) => body.includes('canUpdateAllSettings'))).toEqual([true, false])
    old.standIns.platform.fault({ operation: 'getRoles', ...fault })
    const { body } = await old.rest('GET', '/api/team/members?search=nandini', { token })
    expect(body).toMatchObject({ members: [{ role: 'MANAGER', platformRole: 'Admin' }] })
  })

  test('a new member gets the role Member or Admin; nobody has to create roles', async () => {
    const names = { firstName: 'Asha', lastName: 'Rao' }
    const create = (body: object) => app.rest('POST', '/api/team/members', { token: admin, body: { ...names, ...body } })
    const user = await create({ email: 'asha@demo.example', role: 'USER' })
    expect(user).toMatchObject({ status: 200, body: { member: { role: 'USER', platformRole: 'Member' } } })
    const manager = await create({ email: 'ravi@demo.example', role: 'MANAGER' })
    expect(manager).toMatchObject({ status: 200, body: { member: { role: 'MANAGER', platformRole: 'Admin' } } })
  })

  test('provisioning finds both roles', async () => {
    const { body } = await app.rest('POST', '/api/setup/provision', { token: admin, body: { apply: false } })
    expect(rolesIn(body)).toEqual([
      { kind: 'ROLE', name: 'Admin', state: 'EXISTS' },
      { kind: 'ROLE', name: 'Member', state: 'EXISTS' },
    ])
  })
})

describe('a 403 for a missing role names the own role, the accepted ones and the settings', () => {
  test('without any role here', async () => {
    const { body } = await me(guest)
    expect(body).toMatchObject({
      detail:
        'This requires the role USER. Your platform role "Guest" gives none. "User" or "Member" gives USER, and "Manager" or "Admin" or any role that may change all settings gives MANAGER. A manager can change this mapping (platform.roles in the configuration); PLATFORM_MANAGER_ROLE and PLATFORM_USER_ROLE set it for all workspaces',
    })
  })

  test('with a role that is too low', async () => {
    const { errors } = await app.graphql('{ teamMembers { totalCount } }', { token: member })
    expect(errors?.[0]?.message).toContain(
      'This requires the role MANAGER. Your platform role "Member" gives USER. "Manager" or "Admin" or any role that may change all settings gives MANAGER.',
    )
    const dial = await app.graphql('mutation { dial(input: { phoneNumber: "98140 12345" }) { ucid } }', { token: member })
    expect(dial.errors?.[0]?.message).toContain('"User" or "Member" with an agent record gives AGENT')
  })
})

describe('a configuration of the roles', () => {
  test('counts with the next request', async () => {
    await configure({ user: 'Guest' })
    expect(await me(guest)).toMatchObject({ body: { role: 'USER' } })
    expect(await me(member)).toMatchObject({ status: 403, body: { detail: containing('"Guest" gives USER') } })
    await configure({ user: null })
    expect(await me(guest)).toMatchObject({ status: 403 })
  })

  test('that fits nobody locks no administrator of the platform out, who can provision and correct it', async () => {
    await configure({ manager: 'No Such Role', user: 'No Such User' })
    const again = await app.signIn('manager@demo.example')
    expect(await me(again.token)).toMatchObject({ body: { role: 'MANAGER' } })
    expect(await me(member)).toMatchObject({ status: 403 })
    const { body } = await app.rest('POST', '/api/setup/provision', { token: again.token, body: { apply: false } })
    expect(rolesIn(body)).toMatchObject([
      { name: 'No Such Role', state: 'MISSING' },
      { name: 'No Such User', state: 'MISSING' },
    ])
    const refused = await app.rest('POST', '/api/team/members', {
      token: admin,
      body: { email: 'new@demo.example', firstName: 'N', lastName: 'W', role: 'USER' },
    })
    expect(refused).toMatchObject({ status: 409, body: { detail: containing('no role called "No Such User"') } })
    await configure({ manager: null, user: null }, again.token)
    expect(await me(member)).toMatchObject({ body: { role: 'USER' } })
  })
})

test('names of objects that do not exist keep no administrator out', async () => {
  const objects = { agent: { singular: 'person', plural: 'people' }, lead: { singular: 'nothing', plural: 'nothings' } }
  await app.rest('PUT', '/api/config/platform', { token: admin, body: { objects } })
  const again = await app.signIn('manager@demo.example')
  expect(await me(again.token)).toMatchObject({ body: { role: 'MANAGER' } })
  expect(await app.rest('POST', '/api/setup/provision', { token: again.token, body: { apply: false } })).toMatchObject({ status: 200 })
  expect(await app.rest('POST', '/api/config/platform/reset', { token: again.token })).toMatchObject({ status: 200 })
})

test('PLATFORM_USER_ROLE applies to every served workspace', async () => {
  await using guests = await createTestApp({ hasFreshPlatform: true, environment: { PLATFORM_USER_ROLE: 'Guest' } })
  for (const workspace of ['demo', 'acme']) {
    const accepted = await guests.signIn(`guest@${workspace}.example`)
    expect(await guests.rest('GET', '/auth/me', { token: accepted.token })).toMatchObject({ body: { role: 'USER' } })
    const refused = await guests.signIn(`user@${workspace}.example`)
    expect(await guests.rest('GET', '/auth/me', { token: refused.token })).toMatchObject({ status: 403 })
  }
})
