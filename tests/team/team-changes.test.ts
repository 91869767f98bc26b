import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asha, containing, createTeamDesk, type Member, pageSchema, type TeamDesk } from '../harness/team-desk.ts'

let desk: TeamDesk
beforeAll(async () => {
  desk = await createTeamDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

const pageOf = async (query: string) => pageSchema.parse((await desk.ask('GET', `/api/team/members${query}`)).body)
const find = async (search: string): Promise<Member> => {
  const [member] = (await pageOf(`?search=${encodeURIComponent(search)}`)).members
  if (!member) throw new Error(`no member matches ${search}`)
  return member
}
const put = (id: string, change: object) => desk.ask('PUT', `/api/team/members/${id}`, change)
const remove = (id: string) => desk.ask('DELETE', `/api/team/members/${id}`)
const roleOf = async (token: string) => (await desk.app.rest('GET', '/auth/me', { token })).body

describe('a change of a member', () => {
  test('of the role counts with the next request, in both directions', async () => {
    const { token } = await desk.app.signIn('user@demo.example')
    const user = await find('user@demo.example')
    expect(await roleOf(token)).toMatchObject({ role: 'USER' })
    expect(await put(user.id, { role: 'MANAGER' })).toMatchObject({
      status: 200,
      body: { member: { role: 'MANAGER', platformRole: 'Manager' } },
    })
    expect(await roleOf(token)).toMatchObject({ role: 'MANAGER' })
    await put(user.id, { role: 'USER' })
    expect((await desk.app.rest('GET', '/api/team/members', { token })).status).toBe(403)
  })

  test('of name and agent record: what is left out does not change, each password is replaced separately', async () => {
    const agent = { sipExtension: '7301', sipPassword: 'first-phone-secret', providerAgentPassword: 'first-there' }
    const made = await desk.create({ ...asha, agent })
    const change = { lastName: 'Menon', agent: { sipPassword: 'second-phone-secret', campaignName: 'Inbound_Billing' } }
    const { body } = await put(made.id, change)
    expect(body).toMatchObject({
      member: {
        id: made.id,
        firstName: 'Asha',
        lastName: 'Menon',
        agent: { name: 'Asha Menon', sipExtension: '7301', campaignName: 'Inbound_Billing' },
      },
    })
    const { password } = await desk.temporaryPassword(made.id)
    expect(await desk.logIn(asha.email, password)).toMatchObject({ body: { sip: { username: '7301', password: 'second-phone-secret' } } })
    // Creating the same member again is a new request now.
    expect(await desk.ask('POST', '/api/team/members', { ...asha, agent })).toMatchObject({
      status: 409,
      body: { data: { memberId: made.id } },
    })
  })

  test('makes a member without an agent record an agent', async () => {
    const made = await desk.create({ ...asha, email: 'later@demo.example' })
    const { password } = await desk.temporaryPassword(made.id)
    expect(await desk.logIn('later@demo.example', password)).toMatchObject({ body: { role: 'USER', session: null } })
    expect(await put(made.id, { agent: { sipExtension: '5231' } })).toMatchObject({
      status: 400,
      body: { data: { fields: [{ path: 'agent.sipExtension' }] } },
    })
    await put(made.id, { agent: { sipExtension: '7302', providerAgentId: 'later' } })
    expect(await desk.logIn('later@demo.example', password)).toMatchObject({ body: { role: 'AGENT', agent: { providerAgentId: 'later' } } })
  })

  test('restores the agent record that somebody deleted in the CRM, with its old calls', async () => {
    const made = await desk.create({ ...asha, email: 'restored@demo.example', agent: { sipExtension: '7303', providerAgentId: 'before' } })
    const { agentId } = await find('restored@demo.example')
    await desk.app.graphql(`mutation { deleteAgent(id: "${agentId}") { id } }`, { token: desk.manager.token })
    expect(await find('restored@demo.example')).toMatchObject({ agent: null })
    expect(await put(made.id, { agent: { providerAgentId: 'again' } })).toMatchObject({
      status: 200,
      body: { member: { agentId, agent: { sipExtension: '7303', providerAgentId: 'again' } } },
    })
    expect(await find('restored@demo.example')).toMatchObject({ agentId })
  })

  test("of one's own role is refused with the platform's own reason, and changes nothing", async () => {
    const refused = await put(desk.manager.memberId, { role: 'USER', firstName: 'Nobody' })
    // The workspace has only this manager.
    expect(refused).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE', detail: containing('last manager') } })
    const second = await desk.create({ ...asha, email: 'second@demo.example', role: 'MANAGER' })
    const own = await put(desk.manager.memberId, { role: 'USER', firstName: 'Nobody' })
    expect(own).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', detail: containing('Cannot update self role') } })
    expect(await find('manager@demo.example')).toMatchObject({ firstName: 'Nandini', role: 'MANAGER' })
    expect((await remove(second.id)).status).toBe(200)
  })
})

describe('two managers against each other', () => {
  test.each(['PUT', 'DELETE'])('by %s at the same time: one of them stays a manager', async (method) => {
    await using own = await createTeamDesk()
    const rival = await own.create({ ...asha, role: 'MANAGER' })
    const { password } = await own.temporaryPassword(rival.id)
    const { body } = await own.logIn(asha.email, password)
    const { token } = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) }).parse(body).tokens.accessToken
    const against = (id: string, as: string) =>
      own.app.rest(method, `/api/team/members/${id}`, { token: as, ...(method === 'PUT' && { body: { role: 'USER' } }) })
    const answers = await Promise.all([against(rival.id, own.manager.token), against(own.manager.memberId, token)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const lists = await Promise.all([own.manager.token, token].map((as) => own.app.rest('GET', '/api/team/members', { token: as })))
    const seen = lists.find(({ status }) => status === 200)
    expect(pageSchema.parse(seen?.body).members.filter(({ role }) => role === 'MANAGER')).toHaveLength(1)
  })
})

describe('a member who leaves', () => {
  test('loses session, agent status at the provider, token, passwords and agent record at once', async () => {
    const { token, memberId, agentId } = await desk.app.signIn('agent2@demo.example')
    await put(memberId, { agent: { sipPassword: 'stored-here' } })
    expect(await remove(memberId)).toMatchObject({ status: 200, body: { memberId, sessionEnded: true } })
    expect(desk.app.standIns.telephony.agent({ agentId: 'agent2' }).status).toBe('loggedOut')
    expect((await desk.app.rest('GET', '/auth/me', { token })).status).toBe(401)
    expect(JSON.stringify((await desk.ask('GET', '/api/sessions')).body)).not.toContain(memberId)
    expect(desk.onPlatform('agent2@demo.example')).toEqual([])
    expect(desk.app.standIns.platform.records('demo', 'agent', { id: { eq: agentId } })).toMatchObject([{ workspaceMemberId: null }])
    // Another agent can have the extension.
    expect(await desk.create({ ...asha, email: 'heir@demo.example', agent: { sipExtension: '5232' } })).toMatchObject({ role: 'USER' })
    expect((await remove(memberId)).status).toBe(404)
  })

  test('can be created again, with a new password', async () => {
    const first = await desk.create({ ...asha, email: 'again@demo.example' })
    const { password } = await desk.temporaryPassword(first.id)
    await remove(first.id)
    expect((await desk.logIn('again@demo.example', password)).status).toBe(401)
    const second = await desk.create({ ...asha, email: 'again@demo.example' })
    expect(second.id).not.toBe(first.id)
    expect((await desk.temporaryPassword(second.id)).password).not.toBe(password)
  })

  test('whose removal was not confirmed is removed by a repeated request', async () => {
    const { memberId, token } = await desk.app.signIn('agent3@demo.example')
    desk.app.standIns.platform.fault({ operation: 'deleteUserFromWorkspace', act: 'cutAfter', times: 1 })
    expect((await remove(memberId)).status).toBe(503)
    // Nobody goes on from memory after a removal that may have been made.
    desk.app.standIns.platform.fault({ operation: 'currentUser', act: 'refuse', status: 503, times: 1 })
    expect((await desk.app.rest('GET', '/auth/me', { token })).status).toBe(503)
    expect(await remove(memberId)).toMatchObject({ status: 200, body: { memberId } })
    expect((await desk.app.rest('GET', '/auth/me', { token })).status).toBe(401)
    expect(desk.app.standIns.telephony.agent({ agentId: 'agent3' }).status).toBe('loggedOut')
  })

  test('cannot be oneself', async () => {
    expect(await remove(desk.manager.memberId)).toMatchObject({ status: 409, body: { detail: containing('themselves') } })
    expect(await roleOf(desk.manager.token)).toMatchObject({ role: 'MANAGER' })
  })
})

describe('the list of members', () => {
  test('has pages without gaps or repetitions, and a search for words of name and e-mail', async () => {
    const all = await pageOf('?first=100')
    expect(all.totalCount).toBe(all.members.length)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: z.output<typeof pageSchema> = await pageOf(`?first=3${cursor === null ? '' : `&after=${encodeURIComponent(cursor)}`}`)
      seen.push(...page.members.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(all.members.map(({ id }) => id))
    expect((await find('menon nandini')).email).toBe('manager@demo.example')
    expect((await pageOf('?search=%25')).totalCount).toBe(0)
    expect((await pageOf('?search=_')).totalCount).toBe(0)
    expect(await desk.ask('GET', '/api/team/members?after=zzz')).toMatchObject({
      status: 400,
      body: { data: { fields: [{ path: 'after' }] } },
    })
  })
})

describe('access', () => {
  test('a member of another workspace is never found', async () => {
    const { token } = await desk.app.signIn('manager@acme.example')
    const { body } = await desk.app.rest('GET', '/api/team/members?search=agent1', { token })
    const foreign = pageSchema.parse(body).members[0]
    expect(foreign?.email).toBe('agent1@acme.example')
    const path = `/api/team/members/${foreign?.id}`
    for (const answer of [
      await put(foreign?.id ?? '', { firstName: 'Mine' }),
      await remove(foreign?.id ?? ''),
      await desk.ask('GET', `${path}/temporary-password`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
    for (const answer of [await put('no-id', {}), await remove("' or 1=1")])
      expect(answer).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'id' }] } } })
    expect((await desk.app.rest('GET', '/api/team/members?search=agent1', { token })).body).toMatchObject({
      members: [{ firstName: 'Meera' }],
    })
  })

  test.each(['agent1@demo.example', 'guest@demo.example', 'user@demo.example'])(
    '%s is refused every operation, also by GraphQL',
    async (email) => {
      const { token } = await desk.app.signIn(email)
      const { memberId } = desk.manager
      for (const query of [
        '{ teamMembers { totalCount } }',
        `{ temporaryPassword(memberId: "${memberId}") { password } }`,
        `mutation { createTeamMember(input: { email: "x@demo.example", firstName: "X", lastName: "Y", role: MANAGER }) { member { id } } }`,
        `mutation { updateTeamMember(id: "${memberId}", change: { role: USER }) { member { id } } }`,
        `mutation { deactivateTeamMember(id: "${memberId}") { memberId } }`,
        `mutation { updateTeamMember(id: "${memberId}", change: { role: USER }) { member { id } } deactivateTeamMember(id: "${memberId}") { memberId } }`,
      ]) {
        const { errors } = await desk.app.graphql(query, { token })
        expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'ROLE_MISSING' })
      }
    },
  )

  test('an API key of the platform is refused', async () => {
    const token = desk.app.standIns.platform.apiKeyOf('demo')
    expect((await desk.app.rest('GET', '/api/team/members', { token })).status).toBe(401)
  })
})
