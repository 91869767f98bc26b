import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { asPerson } from '../../src/ports/record-access.ts'
import type { PlatformEndpoint } from '../../src/providers/platform/endpoint.ts'
import { createPlatformIdentity } from '../../src/providers/platform/identity.ts'
import { createPlatformMembers } from '../../src/providers/platform/members.ts'
import { createWorkspaceFacts } from '../../src/providers/platform/workspace-facts.ts'
import { createPlatformWorkspaces } from '../../src/providers/platform/workspaces.ts'
import { platformSection } from '../../src/ports/configuration/platform.ts'
import { platformRefusal } from '../harness/failing-platform.ts'

type Asked = { readonly document: string; readonly variables: Readonly<Record<string, unknown>>; readonly accessToken: string | null }

/** A platform that gives these answers, one after the other; an error is thrown. */
function platformWith(...answers: readonly unknown[]) {
  const asked: Asked[] = []
  const endpoint: PlatformEndpoint = {
    async request({ document, variables = {}, accessToken, answer }) {
      const next = answers[asked.push({ document, variables, accessToken }) - 1]
      if (next instanceof Error) throw next
      return answer.parse(next)
    },
    onMemberGone: () => undefined,
  }
  return { endpoint, asked }
}

const away = new AppError('PROVIDER_UNAVAILABLE')
const unknownField = platformRefusal('Cannot query field "x" on type "Y".')
const access = asPerson('w1', 'token')

describe('members', () => {
  const membersWith = (...answers: readonly unknown[]) => {
    const { endpoint, asked } = platformWith(...answers)
    return { members: createPlatformMembers(endpoint), asked }
  }

  test('a member that is gone is NOT_FOUND when changed, and false when removed', async () => {
    const { members } = membersWith(
      { done: null },
      platformRefusal('Workspace member not found', { code: 'FORBIDDEN' }),
      platformRefusal('Workspace member to delete not found'),
      { done: { id: 'm' } },
    )
    await expect(members.setName(access, 'm', { firstName: 'a', lastName: 'b' })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    await expect(members.setRole(access, 'm', 'r')).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    expect(await members.remove(access, 'm')).toBe(false)
    expect(await members.remove(access, 'm')).toBe(true)
  })

  test("the platform's own reason is told if the manager may not do something, and only then", async () => {
    const denied = platformRefusal('Only owners may do this', { code: 'FORBIDDEN', subCode: 'PERMISSION_DENIED' })
    const other = platformRefusal('a text with personal data')
    const { members } = membersWith(denied, other, denied, other, away, away)
    const reason = { reason: 'PLATFORM_REFUSED', message: 'The platform does not allow this: Only owners may do this' }
    await expect(members.setRole(access, 'm', 'r')).rejects.toMatchObject(reason)
    await expect(members.setRole(access, 'm', 'r')).rejects.toBe(other)
    await expect(members.remove(access, 'm')).rejects.toMatchObject(reason)
    await expect(members.remove(access, 'm')).rejects.toBe(other)
    await expect(members.inviteLink(access)).rejects.toBe(away)
    await expect(members.isInviteHashValid('hash')).rejects.toBe(away)
  })

  test('are listed page by page, found by each word, and a cursor of another list is named', async () => {
    const node = {
      id: 'm',
      userId: 'u',
      userEmail: 'Asha@x.example',
      createdAt: '2026-01-01T00:00:00Z',
      name: { firstName: 'A', lastName: 'R' },
    }
    const page = { workspaceMembers: { totalCount: 1, edges: [{ cursor: 'c', node }] } }
    const badCursors = [platformRefusal('x', { subCode: 'INVALID_CURSOR' }), platformRefusal('Invalid cursor: 7')]
    const other = platformRefusal('something else')
    const { members, asked } = membersWith(page, page, ...badCursors, other, page, page)
    const list = (search: string | null) => members.page(access, { first: 2, after: 'a', search })
    const member = { id: 'm', userId: 'u', email: 'asha@x.example', firstName: 'A', lastName: 'R', createdAt: '2026-01-01T00:00:00.000Z' }
    expect(await list(null)).toEqual({ totalCount: 1, members: [{ node: member, position: 'c' }] })
    await list(' asha  100% ')
    for (const _ of badCursors)
      await expect(list(null)).rejects.toMatchObject({ reason: 'INVALID_INPUT', data: { fields: [{ path: 'after' }] } })
    await expect(list(null)).rejects.toBe(other)
    const words = [{ ilike: '%asha%' }, { ilike: String.raw`%100\%%` }]
    expect(asked.slice(0, 2).map(({ variables }) => variables)).toEqual([
      { filter: {}, first: 2, after: 'a' },
      {
        filter: { and: words.map((word) => ({ or: [{ name: { firstName: word } }, { name: { lastName: word } }, { userEmail: word }] })) },
        first: 2,
        after: 'a',
      },
    ])
    expect(await members.findByEmail(access, 'asha@x.example')).toMatchObject({ id: 'm' })
    expect(await members.findByEmail(access, 'sha@x.example')).toBeNull()
    expect(await members.byId(access, 'no id')).toBeNull()
  })

  test('a role may change settings only if the platform says so', async () => {
    const roles = [
      { id: '1', label: 'Admin', canUpdateAllSettings: true, workspaceMembers: [{ id: 'm' }] },
      { id: '2', label: 'Guest', canUpdateAllSettings: null },
    ]
    expect(await membersWith({ roles }).members.roles(access)).toEqual([
      { id: '1', label: 'Admin', mayChangeSettings: true, memberIds: ['m'] },
      { id: '2', label: 'Guest', mayChangeSettings: false, memberIds: [] },
    ])
  })

  test.each([
    ['EMAIL_NOT_VERIFIED', 'x', 'PLATFORM_REFUSED', /verified/],
    [null, 'Email is not verified', 'PLATFORM_REFUSED', /verified/],
    [null, 'Password too weak', 'PLATFORM_REFUSED', /temporary password/],
    [null, 'Wrong password', 'WRONG_STATE', /has an account/],
    [null, 'User already exists', 'WRONG_STATE', /has an account/],
    ['PERMISSION_DENIED', 'Sign-up is closed', 'PLATFORM_REFUSED', /refused the sign-up: Sign-up is closed/],
    [null, 'something with personal data', 'PROVIDER_REFUSED', /^The platform refused$/],
  ])('a sign-up that fails with %s "%s" is %s', async (...[subCode, text, reason, message]) => {
    const { members, asked } = membersWith(platformRefusal(text, { subCode }))
    const account = { email: 'a@x.example', password: 'p', workspaceId: 'w', inviteHash: 'h' }
    await expect(members.signUp(account)).rejects.toMatchObject({ reason, message: expect.stringMatching(message) as unknown })
    expect(asked[0]).toMatchObject({ variables: account, accessToken: null })
  })
})

describe('accounts', () => {
  const identityWith = (...answers: readonly unknown[]) => {
    const { endpoint, asked } = platformWith(...answers)
    return { identity: createPlatformIdentity({ endpoint, originOf: (workspace) => `https://${workspace}.example` }), asked }
  }
  const credentials = { email: 'a@x.example', password: 'p', workspace: 'demo' }
  const [at, token] = ['2026-01-01T00:00:00.000Z', (text: string) => ({ token: text, expiresAt: '2026-01-01T00:00:00Z' })]
  const issued = { issued: { tokens: { access: token('a'), refreshToken: token('r') } } }
  const pair = { accessToken: { token: 'a', expiresAt: at }, refreshToken: { token: 'r', expiresAt: at } }

  test.each([
    ['FORBIDDEN', 'WRONG_PASSWORD', 'x', 'SIGN_IN_REFUSED'],
    ['UNAUTHENTICATED', null, 'x', 'SIGN_IN_REFUSED'],
    ['BAD_USER_INPUT', null, 'email must be an email', 'SIGN_IN_REFUSED'],
    ['BAD_USER_INPUT', null, 'x', 'PROVIDER_REFUSED'],
    ['INTERNAL_SERVER_ERROR', null, 'email must be an email', 'PROVIDER_REFUSED'],
    ['NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'x', 'WORKSPACE_NOT_SERVED'],
    ['FORBIDDEN', 'EMAIL_NOT_VERIFIED', 'x', 'PLATFORM_REFUSED'],
    ['FORBIDDEN', 'LIMIT_REACHED', 'x', 'OVERLOADED'],
  ])('a sign-in that is refused with %s %s "%s" is %s', async (...[code, subCode, text, reason]) => {
    const { identity } = identityWith(platformRefusal(text, { code, subCode }))
    await expect(identity.logIn(credentials)).rejects.toMatchObject({ reason })
  })

  test('a sign-in sends no token, and passes on what it cannot judge', async () => {
    const { identity, asked } = identityWith({ login: { loginToken: token('l') } }, away)
    expect(await identity.logIn(credentials)).toBe('l')
    expect(asked[0]).toMatchObject({
      variables: { email: 'a@x.example', password: 'p', origin: 'https://demo.example' },
      accessToken: null,
    })
    await expect(identity.logIn(credentials)).rejects.toBe(away)
  })

  test.each([
    ['UNAUTHENTICATED', null, 'TOKEN_REFUSED'],
    ['FORBIDDEN', null, 'TOKEN_REFUSED'],
    ['BAD_USER_INPUT', null, 'PROVIDER_REFUSED'],
    ['NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'WORKSPACE_NOT_SERVED'],
    ['FORBIDDEN', 'TWO_FACTOR_AUTHENTICATION_REQUIRED', 'PLATFORM_REFUSED'],
    ['FORBIDDEN', 'LIMIT_REACHED', 'OVERLOADED'],
  ])('a renewal that is refused with %s %s is %s', async (code, subCode, reason) => {
    const { identity } = identityWith(platformRefusal('x', { code, subCode }))
    await expect(identity.renew('r')).rejects.toMatchObject({ reason })
  })

  test('an older platform is asked with the older name of the access token, and from then on at once', async () => {
    const { identity, asked } = identityWith(away, unknownField, issued, issued, unknownField, unknownField)
    await expect(identity.renew('r')).rejects.toBe(away)
    expect(await identity.renew('r')).toEqual(pair)
    expect(await identity.exchange({ loginToken: 'l', workspace: 'demo' })).toEqual(pair)
    const names = asked.map(({ document }) => /access: (\w+)/.exec(document)?.[1])
    const [newer, older] = ['accessOrWorkspaceAgnosticToken', 'accessToken']
    expect(names).toEqual([newer, newer, older, older])
    expect(asked.map(({ variables }) => variables).slice(2)).toEqual([
      { appToken: 'r' },
      { loginToken: 'l', origin: 'https://demo.example' },
    ])
    await expect(identity.renew('r')).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
    expect(asked).toHaveLength(6)
  })

  test('an older platform answers all of the first renewals, which come at the same time', async () => {
    const { identity, asked } = identityWith(unknownField, unknownField, unknownField, issued, issued, issued, issued)
    const renewals = Promise.all(['1', '2', '3'].map((refreshToken) => identity.renew(refreshToken)))
    expect(await renewals).toEqual([pair, pair, pair])
    expect(asked).toHaveLength(6)
    await identity.renew('4')
    expect(asked).toHaveLength(7)
  })

  test('a platform that is updated meanwhile is asked with the newer name', async () => {
    const { identity } = identityWith(unknownField, issued, unknownField, issued, issued)
    for (let renewals = 0; renewals < 3; renewals += 1) expect(await identity.renew('r')).toEqual(pair)
  })

  test('a profile is of a member of a workspace; the name of the member comes first', async () => {
    const member = {
      id: 'm',
      name: { firstName: 'Asha', lastName: '' },
      roles: [{ label: 'Admin', canUpdateAllSettings: true }, { label: 'User' }],
    }
    const user = {
      id: 'u',
      email: 'a@x.example',
      firstName: 'A',
      lastName: 'Rao',
      workspaceMember: member,
      currentWorkspace: { id: 'w', subdomain: 'demo' },
    }
    const { identity } = identityWith(
      { currentUser: user },
      { currentUser: { ...user, workspaceMember: null } },
      { currentUser: { ...user, currentWorkspace: null } },
      platformRefusal('Forbidden resource'),
      away,
    )
    expect(await identity.profile('t')).toEqual({
      userId: 'u',
      email: 'a@x.example',
      firstName: 'Asha',
      lastName: 'Rao',
      memberId: 'm',
      workspace: { id: 'w', subdomain: 'demo' },
      roles: [
        { label: 'Admin', mayChangeSettings: true },
        { label: 'User', mayChangeSettings: false },
      ],
    })
    for (let refused = 0; refused < 3; refused += 1) await expect(identity.profile('t')).rejects.toMatchObject({ reason: 'TOKEN_REFUSED' })
    await expect(identity.profile('t')).rejects.toBe(away)
  })
})

describe('workspaces', () => {
  const notFound = platformRefusal('x', { code: 'NOT_FOUND', subCode: 'WORKSPACE_NOT_FOUND' })

  test('a workspace that is known is asked for once, one that is not again; a failure is no answer', async () => {
    const { endpoint, asked } = platformWith(notFound, away, { workspace: { id: 'w' } }, { workspace: { id: 'other' } })
    const { idOf } = createPlatformWorkspaces({ endpoint, originOf: (workspace) => `https://${workspace}.example` })
    expect(await idOf('demo')).toBeNull()
    await expect(idOf('demo')).rejects.toBe(away)
    expect([await idOf('demo'), await idOf('demo'), await idOf('acme')]).toEqual(['w', 'w', 'other'])
    expect(asked).toHaveLength(4)
    expect(asked[0]).toMatchObject({ variables: { origin: 'https://demo.example' }, accessToken: null })
  })

  test('an API key that the platform refuses has no owner; a failure is no answer', async () => {
    const refusals = [platformRefusal('x', { code: 'UNAUTHENTICATED' }), platformRefusal('x', { code: 'FORBIDDEN' })]
    const { endpoint, asked } = platformWith({ workspace: { id: 'w' } }, ...refusals, notFound, away)
    const { ownerOfApiKey } = createPlatformWorkspaces({ endpoint, originOf: (workspace) => workspace })
    expect([await ownerOfApiKey('key'), await ownerOfApiKey('key'), await ownerOfApiKey('key')]).toEqual(['w', null, null])
    await expect(ownerOfApiKey('key')).rejects.toBe(notFound)
    await expect(ownerOfApiKey('key')).rejects.toBe(away)
    expect(asked[0]).toMatchObject({ accessToken: 'key' })
  })

  test('passwords are reported only for the fields that agents have, and that are filled', async () => {
    const type = { __type: { fields: [{ name: 'sipPassword' }, { name: 'providerAgentPassword' }] } }
    const count = (totalCount: number) => ({ agents: { totalCount } })
    const section = platformSection.parse({})
    expect(await createWorkspaceFacts(platformWith(type, count(1), count(0)).endpoint).readablePasswords('t', section)).toEqual([
      'sipPassword',
    ])
    expect(await createWorkspaceFacts(platformWith({ __type: null }).endpoint).readablePasswords('t', section)).toEqual([])
  })
})
