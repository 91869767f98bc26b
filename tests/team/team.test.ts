import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { asha, createTeamDesk, pageSchema, passwordSchema, setLink, type TeamDesk } from '../harness/team-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

const agent = {
  sipExtension: '7001',
  sipPassword: 'phone-secret-7f3a',
  providerAgentId: 'agent4',
  providerAgentPassword: 'demo-agent4-password',
  campaignName: 'Inbound_Billing',
}
let clock: TestClock
let desk: TeamDesk
beforeAll(async () => {
  clock = createTestClock(new Date().toISOString())
  desk = await createTeamDesk({ clock })
  await setLink(desk, false)
})
afterAll(() => desk[Symbol.asyncDispose]())

const pageOf = async (query: string) => pageSchema.parse((await desk.ask('GET', `/api/team/members${query}`)).body)

describe('a created member', () => {
  test('has account, role, name and agent record; no e-mail was requested, and the link was open only for the sign-up', async () => {
    const { platform } = desk.app.standIns
    platform.forgetCalls()
    const member = await desk.create({ ...asha, email: 'Asha.Rao@Demo.example', agent })
    expect(member).toMatchObject({
      ...asha,
      platformRole: 'User',
      agent: { sipExtension: '7001' },
      hasTemporaryPassword: true,
      session: null,
    })
    expect(desk.onPlatform(asha.email)).toMatchObject([
      { id: member.id, userId: member.userId, name: { firstName: 'Asha', lastName: 'Rao' } },
    ])
    const operations = platform.calls('POST').map(({ operation }) => operation)
    expect(operations.filter((operation) => /mail|invitation/i.test(operation))).toEqual([])
    const opened = operations.indexOf('POST /metadata updateWorkspace')
    expect(operations.slice(opened, opened + 4)).toEqual([
      'POST /metadata updateWorkspace',
      'POST /metadata checkWorkspaceInviteHashIsValid',
      'POST /metadata signUpInWorkspace',
      'POST /metadata updateWorkspace',
    ])
    expect(platform.calls('signUpInWorkspace')[0]?.headers.authorization).toBeUndefined()
    expect(await desk.isLinkOpen()).toBe(false)
  })

  test('signs in as an agent with the temporary password; the given passwords are used, and the platform has none of them', async () => {
    const [member] = (await pageOf('?search=asha.rao')).members
    const { password, usedAt, createdAt, expiresAt } = await desk.temporaryPassword(member?.id ?? '')
    expect(password).toMatch(/^[A-Za-z34679]{16}$/)
    expect(password).not.toMatch(/[0O1IlioZzSsBuvUVcCe]/)
    expect([usedAt, Date.parse(expiresAt) - Date.parse(createdAt)]).toEqual([null, 72 * 3_600_000])
    const signedIn = await desk.logIn(asha.email, password)
    expect(signedIn).toMatchObject({
      status: 200,
      body: {
        role: 'AGENT',
        agent: { id: member?.agentId, name: 'Asha Rao' },
        sip: { username: '7001', password: agent.sipPassword },
        telephony: { signedIn: true },
      },
    })
    const records = desk.app.standIns.platform.records('demo', 'agent', { id: { eq: member?.agentId } })
    expect(records).toMatchObject([{ sipExtension: '7001', campaignName: 'Inbound_Billing' }])
    for (const secret of [agent.sipPassword, agent.providerAgentPassword]) expect(JSON.stringify(records)).not.toContain(secret)
    await waitFor(async () => (await desk.temporaryPassword(member?.id ?? '')).usedAt !== null)
    expect((await pageOf('?search=asha.rao')).members[0]?.session).toMatchObject({ memberId: member?.id })
  })

  test('has no secret in clear in a file or in the log', async () => {
    const [member] = (await pageOf('?search=asha.rao')).members
    const { password } = await desk.temporaryPassword(member?.id ?? '')
    const files = readdirSync(desk.app.dataDir, { recursive: true })
      .map((name) => join(desk.app.dataDir, String(name)))
      .filter((path) => statSync(path).isFile())
    const stored = Buffer.concat(files.map((path) => readFileSync(path)))
    expect(stored.indexOf(member?.id ?? 'no member')).toBeGreaterThan(0)
    for (const secret of [password, agent.sipPassword, agent.providerAgentPassword]) {
      expect(stored.indexOf(secret)).toBe(-1)
      expect(desk.app.logged.join('')).not.toContain(secret)
    }
  })

  test('20 concurrent requests get one answer and create one member; a later request gets the same answer', async () => {
    const wanted = { ...asha, email: 'twenty@demo.example', agent: { sipExtension: '7020' } }
    desk.app.standIns.platform.forgetCalls()
    const all = await Promise.all(Array.from({ length: 20 }, () => desk.ask('POST', '/api/team/members', wanted)))
    expect(new Set(all.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(await desk.create(wanted)).toEqual(z.object({ member: z.unknown() }).parse(all[0]?.body).member)
    expect(desk.app.standIns.platform.calls('signUpInWorkspace')).toHaveLength(1)
    expect(desk.onPlatform('twenty@demo.example')).toHaveLength(1)
    expect(desk.app.standIns.platform.records('demo', 'agent', { sipExtension: { eq: '7020' } })).toHaveLength(1)
    expect(await desk.ask('POST', '/api/team/members', { ...wanted, role: 'MANAGER' })).toMatchObject({ status: 409 })
  })

  test('a link that the workspace itself opened stays open', async () => {
    await setLink(desk, true)
    desk.app.standIns.platform.forgetCalls()
    await desk.create({ ...asha, email: 'open@demo.example' })
    expect(desk.app.standIns.platform.calls('updateWorkspace').map(({ operation }) => operation)).not.toContain(
      'POST /metadata updateWorkspace',
    )
    expect(await desk.isLinkOpen()).toBe(true)
    await setLink(desk, false)
  })
})

describe('the temporary password', () => {
  const why = (reason: string) => ({ status: 404, body: { code: 'NOT_FOUND', data: { why: reason } } })
  const read = (id: string) => desk.ask('GET', `/api/team/members/${id}/temporary-password`)

  test('is sent with no-store, and every read is in the audit log', async () => {
    const { id } = await desk.create({ ...asha, email: 'audited@demo.example' })
    const answers = [await read(id), await read(id)]
    for (const answer of answers) expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(passwordSchema.parse(answers[0]?.body)).toEqual(passwordSchema.parse(answers[1]?.body))
    const { body } = await desk.ask('GET', '/api/audit?first=100')
    const { entries } = z.object({ entries: z.array(z.object({ action: z.string(), targetId: z.string().nullable() })) }).parse(body)
    const own = entries.filter(({ targetId }) => targetId === id).map(({ action }) => action)
    expect(own).toEqual(['temporary-password.read', 'temporary-password.read', 'member.created'])
    expect(JSON.stringify(body)).not.toContain(passwordSchema.parse(answers[0]?.body).password)
  })

  test('is used, and ends, also by a sign-in with the platform’s own mutation through the service', async () => {
    const { id, email } = await desk.create({ ...asha, email: 'elsewhere@demo.example' })
    const query = `mutation($e: String!, $p: String!, $o: String!) {
      in: getLoginTokenFromCredentials(email: $e, password: $p, origin: $o) { pass: loginToken { token } } }`
    const origin = desk.app.standIns.platform.workspaceUrl.replace('{workspace}', 'demo')
    const signIn = (path: string, password: string) =>
      desk.app.rest('POST', path, { body: { query, variables: { e: email, p: password, o: origin } } })
    const { password, usedAt } = await desk.temporaryPassword(id)
    expect(usedAt).toBeNull()
    await signIn('/metadata', 'a wrong password')
    expect((await desk.temporaryPassword(id)).usedAt).toBeNull()
    expect((await signIn('/metadata', password)).body).toMatchObject({ data: { in: { pass: {} } } })
    await waitFor(async () => (await desk.temporaryPassword(id)).usedAt !== null)
    desk.app.standIns.platform.setPassword({ email, password: 'my-own-password-2' })
    await signIn('/metadata', 'my-own-password-2')
    await waitFor(async () => (await read(id)).status === 404)
    expect(await read(id)).toMatchObject(why('CHANGED'))
  })

  test('was used when the member signed in first, however often they sign in', async () => {
    const { id, email } = await desk.create({ ...asha, email: 'often@demo.example' })
    const { password } = await desk.temporaryPassword(id)
    expect((await desk.logIn(email, password)).status).toBe(200)
    const { usedAt } = await waitFor(async () => {
      const shown = await desk.temporaryPassword(id)
      return shown.usedAt !== null && shown
    })
    clock.advance(60_000)
    expect((await desk.logIn(email, password)).status).toBe(200)
    expect((await desk.temporaryPassword(id)).usedAt).toBe(usedAt)
  })

  test('is not found, with the reason: none was stored, it was changed, or it is older than 72 hours', async () => {
    const user = (await pageOf('?search=user@demo')).members[0]
    expect(await read(user?.id ?? '')).toMatchObject(why('NEVER_STORED'))

    const { id, email } = await desk.create({ ...asha, email: 'changes@demo.example' })
    desk.app.standIns.platform.setPassword({ email, password: 'my-own-password-1' })
    expect((await desk.logIn(email, 'my-own-password-1')).status).toBe(200)
    await waitFor(async () => (await read(id)).status === 404)
    expect(await read(id)).toMatchObject(why('CHANGED'))

    const late = await desk.create({ ...asha, email: 'late@demo.example' })
    clock.advance(72 * 3_600_000)
    const again = await desk.app.signIn('manager@demo.example')
    const expired = await desk.app.rest('GET', `/api/team/members/${late.id}/temporary-password`, { token: again.token })
    expect(expired).toMatchObject(why('EXPIRED'))
  })
})
