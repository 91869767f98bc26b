import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from '../../src/sandbox/start.ts'
import { ask } from '../harness/instances.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { asha, containing, createTeamDesk, pageSchema, setLink, type TeamDesk } from '../harness/team-desk.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

let desk: TeamDesk
let aheadMs = 0
beforeAll(async () => {
  desk = await createTeamDesk({ clock: { now: () => Date.now() + aheadMs } })
  await setLink(desk, false)
})
afterAll(() => desk[Symbol.asyncDispose]())
beforeEach(() => desk.app.standIns.platform.clearFaults())

/** The requests of a creation, in order. `skip`: how many requests with the same name come before it. */
const steps = [
  { operation: 'getRoles', skip: 0 },
  { operation: 'POST /graphql workspaceMembers', skip: 0 },
  { operation: 'POST /graphql agents', skip: 0 },
  { operation: 'POST /metadata currentWorkspace', skip: 0 },
  { operation: 'POST /metadata updateWorkspace', skip: 0 },
  { operation: 'checkWorkspaceInviteHashIsValid', skip: 0 },
  { operation: 'signUpInWorkspace', skip: 0 },
  { operation: 'POST /graphql workspaceMembers', skip: 1 },
  { operation: 'updateWorkspaceMemberRole', skip: 0 },
  { operation: 'POST /graphql updateWorkspaceMember', skip: 0 },
  { operation: 'createAgent', skip: 0 },
  { operation: 'getRoles', skip: 1 },
] as const
const acts = ['refuse', 'cut', 'cutAfter'] as const
const cases = steps.flatMap((step, at) => acts.map((act) => ({ ...step, act, at })))

describe('a creation that stops half way', () => {
  test.each(cases)(
    '$act at $operation ($skip before): a repeated request finishes the same member',
    async ({ operation, skip, act, at }) => {
      const { platform } = desk.app.standIns
      const extension = String(8_000 + at * 10 + acts.indexOf(act))
      const wanted = {
        ...asha,
        email: `half-${at}-${act.toLowerCase()}@demo.example`,
        agent: { sipExtension: extension, sipPassword: 'phone-secret' },
      }
      platform.fault({ operation, skip, act, times: 1 })
      const first = await desk.ask('POST', '/api/team/members', wanted)
      expect(first.status).toBeGreaterThanOrEqual(500)
      expect(await desk.isLinkOpen()).toBe(false)
      platform.clearFaults()

      const member = await desk.create(wanted)
      expect(member).toMatchObject({ ...asha, email: wanted.email, agent: { sipExtension: extension } })
      expect(desk.onPlatform(wanted.email)).toHaveLength(1)
      expect(platform.records('demo', 'agent', { sipExtension: { eq: extension } })).toHaveLength(1)
      const { password } = await desk.temporaryPassword(member.id)
      expect(await desk.logIn(wanted.email, password)).toMatchObject({
        status: 200,
        body: { role: 'AGENT', sip: { password: 'phone-secret' } },
      })
      for (const secret of [password, 'phone-secret']) expect(desk.app.logged.filter((line) => line.includes(secret))).toEqual([])
      const page = pageSchema.parse((await desk.ask('GET', '/api/team/members?first=1')).body)
      expect([page.inviteLinkLeftOpenSince, await desk.isLinkOpen()]).toEqual([null, false])
    },
  )

  test('a link that cannot be closed is shown to managers, and the next request of a manager that finds the team free closes it', async () => {
    const { platform } = desk.app.standIns
    const page = async () => pageSchema.parse((await desk.ask('GET', '/api/team/members?first=1')).body)
    const closing = 'POST /metadata updateWorkspace'
    platform.fault({ operation: closing, skip: 1, times: 3, act: 'refuse' })
    await desk.create({ ...asha, email: 'left-open@demo.example' })
    platform.fault({ operation: closing, act: 'refuse' })
    // The next request then also checks in the background, which tries for longer than the request takes.
    aheadMs += 10_001
    expect(Date.parse((await page()).inviteLinkLeftOpenSince ?? '')).not.toBeNaN()
    expect(await desk.isLinkOpen()).toBe(true)
    platform.clearFaults()
    await waitFor(async () => (await page()).inviteLinkLeftOpenSince === null)
    expect(await desk.isLinkOpen()).toBe(false)
  })
})

describe('a refused creation says why and leaves nothing behind', () => {
  const create = (input: object) => desk.ask('POST', '/api/team/members', { ...asha, ...input })
  const answerOf = (message: string, extensions: object) =>
    ({ act: 'refuse', status: 200, body: JSON.stringify({ errors: [{ message, extensions }], data: null }), times: 1 }) as const

  test.each([
    [{ email: 'no address' }, 'email'],
    [{ email: `${'a'.repeat(300)}@demo.example` }, 'email'],
    [{ role: 'BOSS' }, 'role'],
    [{ firstName: '' }, 'firstName'],
    [{ lastName: '   ' }, 'lastName'],
    [{ firstName: 'x'.repeat(300) }, 'firstName'],
    [{ firstName: 'a\u0000b' }, 'firstName'],
    [{ more: 1 }, 'more'],
    [{ agent: { sipExtension: '5231' } }, 'agent.sipExtension'],
    [{ agent: { sipExtension: 'one two' } }, 'agent.sipExtension'],
    [{ agent: { sipPassword: '' } }, 'agent.sipPassword'],
  ])('%j', async (input, path) => {
    desk.app.standIns.platform.forgetCalls()
    const wanted = { email: 'refused@demo.example', ...input }
    expect(await create(wanted)).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT', data: { fields: [{ path }] } } })
    expect(desk.app.standIns.platform.calls('signUpInWorkspace')).toEqual([])
    expect(desk.onPlatform('refused@demo.example')).toEqual([])
  })

  test('an account outside this workspace', async () => {
    const refused = await create({ email: 'agent1@acme.example' })
    expect(refused).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE', detail: containing('Invite the person') } })
    expect([await desk.isLinkOpen(), desk.onPlatform('agent1@acme.example')]).toEqual([false, []])
  })

  test('the password rule refuses temporary passwords', async () => {
    const { platform } = desk.app.standIns
    platform.fault({
      operation: 'signUpInWorkspace',
      ...answerOf('Password too weak', { code: 'BAD_USER_INPUT', subCode: 'INVALID_INPUT' }),
    })
    const refused = await create({ email: 'weak@demo.example' })
    expect(refused).toMatchObject({ status: 403, body: { detail: containing('password rule') } })
    expect(await desk.isLinkOpen()).toBe(false)
  })

  test.each(['signUpInWorkspace', 'getLoginTokenFromCredentials'])(
    'the platform requires a verified e-mail address, at %s',
    async (operation) => {
      const wanted = { email: `verify-${operation.toLowerCase()}@demo.example` }
      const extensions = { code: 'FORBIDDEN', subCode: 'EMAIL_NOT_VERIFIED' }
      desk.app.standIns.platform.fault({ operation, ...answerOf('Email is not verified; check your inbox', extensions) })
      expect(await create(wanted)).toMatchObject({
        status: 403,
        body: { detail: containing('IS_EMAIL_VERIFICATION_REQUIRED') },
      })
      expect(await create(wanted)).toMatchObject({ status: 200, body: { member: { hasTemporaryPassword: true } } })
    },
  )

  test('the platform does not have the role', async () => {
    const put = (user: string) => desk.ask('PUT', '/api/config/platform', { roles: { user } })
    expect((await put('Telephonist')).status).toBe(200)
    const refused = await create({ email: 'role@demo.example' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'NOT_CONFIGURED', detail: containing('"Telephonist"') } })
    await put('User')
    expect(desk.onPlatform('role@demo.example')).toEqual([])
  })

  test("the platform denies a right: FORBIDDEN with the platform's own reason", async () => {
    const message = 'Entity performing the request does not have permission'
    const fault = answerOf(message, { code: 'FORBIDDEN', subCode: 'PERMISSION_DENIED' })
    desk.app.standIns.platform.fault({ operation: 'POST /metadata updateWorkspace', ...fault })
    const refused = await create({ email: 'right@demo.example' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', detail: containing(message) } })
    expect(pageSchema.parse((await desk.ask('GET', '/api/team/members?first=1')).body).inviteLinkLeftOpenSince).toBeNull()
  })
})

describe('an old platform (1.3)', () => {
  test('creates, changes and removes members', async () => {
    await using old = await createTeamDesk()
    await old.app.standIns.platform.setVersion('1.3')
    const { token } = await old.app.signIn('manager@demo.example')
    const asked = (method: string, path: string, body?: object) =>
      old.app.rest(method, `/api/team/members${path}`, { token, ...(body && { body }) })
    const made = await asked('POST', '', { ...asha, agent: { sipExtension: '7901' } })
    expect(made).toMatchObject({ status: 200, body: { member: { ...asha, agent: { sipExtension: '7901' } } } })
    const { id } = z.object({ member: z.object({ id: z.string() }) }).parse(made.body).member
    expect(await asked('PUT', `/${id}`, { role: 'MANAGER' })).toMatchObject({ status: 200, body: { member: { role: 'MANAGER' } } })
    expect(await asked('GET', `/${id}/temporary-password`)).toMatchObject({ status: 200 })
    expect(await asked('GET', '?search=asha')).toMatchObject({ status: 200, body: { totalCount: 2 } })
    expect(await asked('DELETE', `/${id}`)).toMatchObject({ status: 200 })
  })
})

describe('a process that is killed while the link is open', () => {
  test("the next manager's request after the start closes it, and a repeated request finishes the member", async () => {
    await using stack = new AsyncDisposableStack()
    const { path: dataDir } = stack.use(await createTempDir())
    const sandbox = stack.use(await startSandbox({ dataDir: null }))
    const { platform } = sandbox.standIns
    const environment = { ...sandbox.environmentOf('demo'), DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }
    const crashed = stack.use(await startServiceProcess(environment))
    const { url } = crashed
    const manager = async (): Promise<string> => {
      const { body } = await ask(url, '/auth/login', {
        body: { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' },
      })
      return z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) }).parse(body).tokens.accessToken.token
    }
    const isLinkOpen = async (token: string): Promise<boolean> => {
      const body = { query: '{ currentWorkspace { isPublicInviteLinkEnabled } }' }
      const answer = await ask(platform.url, '/metadata', { token, body })
      const linkSchema = z.object({ data: z.object({ currentWorkspace: z.object({ isPublicInviteLinkEnabled: z.boolean() }) }) })
      return linkSchema.parse(answer.body).data.currentWorkspace.isPublicInviteLinkEnabled
    }

    const token = await manager()
    await ask(platform.url, '/metadata', {
      token,
      body: { query: 'mutation { updateWorkspace(data: { isPublicInviteLinkEnabled: false }) { id } }' },
    })
    platform.fault({ operation: 'signUpInWorkspace', act: 'hang', times: 1 })
    const lost = ask(url, '/api/team/members', { token, body: asha }).then(
      () => 'answered',
      () => 'cut',
    )
    await waitFor(() => platform.calls('signUpInWorkspace').length === 1)
    expect(await isLinkOpen(token)).toBe(true)
    await crashed.kill()
    expect(await lost).toBe('cut')

    const next = stack.use(await startServiceProcess(environment))
    expect(await isLinkOpen(token)).toBe(true)
    expect((await ask(next.url, '/auth/me', { token })).status).toBe(200)
    await waitFor(async () => !(await isLinkOpen(token)), { what: 'the link to be closed' })
    expect(await ask(next.url, '/api/team/members', { token, body: asha })).toMatchObject({ status: 200, body: { member: asha } })
    expect(platform.records('demo', 'workspaceMember', { userEmail: { eq: asha.email } })).toHaveLength(1)
    expect(await isLinkOpen(token)).toBe(false)
  })
})
