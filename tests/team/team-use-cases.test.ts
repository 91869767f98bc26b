import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FoundPrincipal } from '../../src/features/auth/principals.ts'
import { createTeamMember } from '../../src/features/team/create-team-member.ts'
import { readCreation } from '../../src/features/team/creations.ts'
import { deactivateTeamMember } from '../../src/features/team/deactivate-team-member.ts'
import { closingLeftOpenLinks, closeLeftOpenLink, reportLeftOpenLinks } from '../../src/features/team/left-open-links.ts'
import { proveSignIn } from '../../src/features/team/prove-sign-in.ts'
import { ifTeamIsFree, withTeamLease } from '../../src/features/team/team-lease.ts'
import { createTeamState, type TeamPorts } from '../../src/features/team/team-ports.ts'
import {
  deleteTemporaryPassword,
  findTemporaryPassword,
  haveTemporaryPasswords,
  notePassword,
  prepareTemporaryPassword,
} from '../../src/features/team/temporary-passwords.ts'
import { updateTeamMember } from '../../src/features/team/update-team-member.ts'
import { leftOpenLinks, withOpenInviteLink } from '../../src/features/team/with-open-invite-link.ts'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createSecretBox } from '../../src/kernel/secrets.ts'
import type { MemberDirectory, MemberRecord, PlatformRole, TeamAgents } from '../../src/ports/members.ts'
import { asPerson } from '../../src/ports/record-access.ts'
import type { AgentProfile } from '../../src/ports/records/agent.ts'
import { createStoreAudit } from '../../src/providers/store/audit.ts'
import { failingStore } from '../harness/failing-store.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { lateStore } from '../harness/late-store.ts'
import { createSessionDesk, type SessionDesk } from '../harness/session-desk.ts'

/** The use cases of the team with a real store and a platform of this file: what they ask it for, and what is left after a failure. */

const workspaceId = 'team'
const owner = { workspaceId, email: 'new@demo.example' }
const access = asPerson(workspaceId, 'token')
const hour = 3_600_000
const manager = {
  principal: testPrincipal({ userId: 'u1', memberId: 'm1', workspaceId, role: 'MANAGER' }),
  accessToken: 'token',
  clientAddress: '::1',
}

let desk: SessionDesk
beforeAll(async () => {
  desk = await createSessionDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

/** What the platform has, and what it was asked to change. */
let members: MemberRecord[]
let roles: PlatformRole[]
let agents: Map<string, AgentProfile>
let isLinkOpen: boolean
let asked: string[]
beforeEach(async () => {
  const member = (id: string): MemberRecord => ({
    id,
    userId: `user of ${id}`,
    email: `${id}@demo.example`,
    firstName: id,
    lastName: 'Rao',
    createdAt: null,
  })
  members = ['m1', 'm2'].map(member)
  roles = [
    { id: 'r1', label: 'Manager', mayChangeSettings: true, memberIds: ['m1'] },
    { id: 'r2', label: 'User', mayChangeSettings: false, memberIds: ['m2'] },
  ]
  agents = new Map()
  isLinkOpen = false
  asked = []
  await deleteTemporaryPassword(ports(), owner)
  for (const link of await leftOpenLinks(desk.store)) await desk.store.sortedRemove('team:open-invite-links', link.workspaceId)
})

function directory(): MemberDirectory {
  return {
    findByEmail: async (_, email) => members.find((member) => member.email === email) ?? null,
    byId: async (_, id) => members.find((member) => member.id === id) ?? null,
    page: () => Promise.reject(new Error('not used here')),
    roles: async () => roles,
    setRole: async (_, memberId, roleId) => void asked.push(`role of ${memberId}: ${roleId}`),
    setName: async (_, memberId, { firstName, lastName }) => void asked.push(`name of ${memberId}: ${firstName} ${lastName}`),
    remove: async (_, memberId) => {
      asked.push(`remove ${memberId}`)
      members = members.filter(({ id }) => id !== memberId)
      return true
    },
    inviteLink: async () => ({ workspaceId, inviteHash: 'hash', isEnabled: isLinkOpen }),
    setInviteLink: async (_, isEnabled) => {
      asked.push(isEnabled ? 'open' : 'close')
      isLinkOpen = isEnabled
    },
    isInviteHashValid: async (hash) => hash === 'hash',
    signUp: async ({ email, inviteHash }) => {
      asked.push(`sign up ${email} with ${inviteHash}, ${isLinkOpen ? 'open' : 'closed'}`)
      members.push({ id: 'm3', userId: 'u3', email, firstName: '', lastName: '', createdAt: null })
      return workspaceId
    },
  }
}

function teamAgents(): TeamAgents {
  return {
    areThere: async () => true,
    ofMembers: async (_, ids) => new Map(ids.flatMap((id) => (agents.has(id) ? [[id, agents.get(id) ?? fail()]] : []))),
    byId: async (_, id) => [...agents.values()].find((agent) => agent.id === id) ?? null,
    withValue: async (_, field, value) => [...agents.values()].filter((agent) => agent[field] === value),
    create: async (_, memberId, values) => (asked.push(`agent of ${memberId}: ${JSON.stringify(values)}`), `agent of ${memberId}`),
    update: async (_, agentId, values) => void asked.push(`update ${agentId}: ${JSON.stringify(values)}`),
    unlink: async (_, agentId) => void asked.push(`unlink ${agentId}`),
  }
}

function fail(): never {
  throw new Error('not there')
}

const profile = (id: string, memberId: string, name: string): AgentProfile => ({
  id,
  memberId,
  name,
  sipExtension: '1301',
  providerAgentId: id,
  campaignName: null,
})

type Changes = Partial<Omit<TeamPorts, 'members' | 'teamAgents'>> & {
  readonly members?: Partial<MemberDirectory>
  readonly teamAgents?: Partial<TeamAgents>
}

function ports({ members: changedMembers, teamAgents: changedAgents, ...changes }: Changes = {}): TeamPorts {
  const store = lateStore(desk.store)
  return {
    ...desk.instance().ports,
    ...createTeamState(),
    store,
    audit: createStoreAudit({ store, clock: desk.clock }),
    log: createLog('silent'),
    teamBox: createSecretBox(new Uint8Array(32).fill(7)),
    temporaryPasswordMs: 72 * hour,
    isShared: false,
    ...changes,
    members: { ...directory(), ...changedMembers },
    teamAgents: { ...teamAgents(), ...changedAgents },
  }
}

const failing = (reason: ErrorReason) => () => Promise.reject(new AppError(reason))

test('a temporary password is the same until it ends; using it is noted once, and another one ends it', async () => {
  const own = ports()
  const password = await prepareTemporaryPassword(own, owner)
  expect(await prepareTemporaryPassword(own, owner)).toBe(password)
  await notePassword(own, { ...owner, email: 'NEW@demo.example' }, password)
  const used = await findTemporaryPassword(own, owner)
  expect(used).toMatchObject({ password, usedAt: new Date(desk.clock.now()).toISOString() })
  desk.clock.advance(1_000)
  await notePassword(own, owner, password)
  expect(await findTemporaryPassword(own, owner)).toEqual(used)
  expect(await haveTemporaryPasswords(own, [{ ...owner, email: 'other@demo.example' }, owner])).toEqual([false, true])
  expect(await haveTemporaryPasswords(own, [])).toEqual([])
  await notePassword(own, owner, 'their own')
  expect(await findTemporaryPassword(own, owner)).toBe('CHANGED')
  expect(await haveTemporaryPasswords(own, [owner])).toEqual([false])
  expect(await prepareTemporaryPassword(own, owner)).not.toBe(password)
  desk.clock.advance(72 * hour - 1)
  expect(await findTemporaryPassword(own, owner)).toHaveProperty('password')
  desk.clock.advance(1)
  expect(await findTemporaryPassword(own, owner)).toBe('EXPIRED')
  // Nothing to note any more.
  await notePassword(own, owner, 'their own')
  expect(await findTemporaryPassword(own, owner)).toBe('EXPIRED')
  desk.clock.advance(90 * 24 * hour)
  expect(await findTemporaryPassword(own, owner)).toBe('NEVER_STORED')
})

test('a password that was sealed with another key is none', async () => {
  await prepareTemporaryPassword(ports(), owner)
  const other = ports({ teamBox: createSecretBox(new Uint8Array(32).fill(8)) })
  expect(await findTemporaryPassword(other, owner)).toBe('EXPIRED')
})

test('a new member gets role, name and agent record while the link is open, and an equal request the same answer', async () => {
  const own = ports({ identity: { ...desk.instance().ports.identity, logIn: failing('PROVIDER_UNAVAILABLE') } })
  const input = { email: owner.email, firstName: 'Asha', lastName: 'Rao', role: 'MANAGER', agent: { sipExtension: '1302' } }
  const created = await createTeamMember(own, manager, input)
  expect(created).toMatchObject({ id: 'm3', email: owner.email })
  const steps = ['open', `sign up ${owner.email} with hash, open`, 'close', 'role of m3: r1', 'name of m3: Asha Rao']
  expect(asked).toEqual([...steps, 'agent of m3: {"name":"Asha Rao","sipExtension":"1302"}'])
  expect(await leftOpenLinks(desk.store)).toEqual([])
  expect(await readCreation(own, owner)).toMatchObject({ isFinished: true })
  expect(await own.audit.read(workspaceId, { limit: 1 })).toMatchObject([{ action: 'member.created', target: { id: 'm3' } }])
  asked = []
  expect(await createTeamMember(own, manager, input)).toMatchObject({ id: 'm3' })
  expect(asked).not.toContain('open')
  expect((await own.audit.read(workspaceId, { limit: 5 })).filter(({ action }) => action === 'member.created')).toHaveLength(1)
  await expect(createTeamMember(own, manager, { ...input, lastName: 'Other' })).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  await deactivateTeamMember(own, manager, 'm3')
  expect(await readCreation(own, owner)).toBeNull()
})

test('a refused sign-up leaves no password; after an outage the repetition uses the same one', async () => {
  const input = { email: owner.email, firstName: 'Asha', lastName: 'Rao', role: 'USER' }
  const refused = ports({ members: { signUp: failing('WRONG_STATE') } })
  await expect(createTeamMember(refused, manager, input)).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  expect([await findTemporaryPassword(refused, owner), await readCreation(refused, owner)]).toEqual(['NEVER_STORED', null])
  const passwords: string[] = []
  const away = ports({
    members: {
      signUp: async ({ password }) => {
        passwords.push(password)
        throw new AppError('DEADLINE_PASSED')
      },
    },
  })
  for (const _ of [1, 2]) await expect(createTeamMember(away, manager, input)).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  expect(new Set(passwords).size).toBe(1)
  expect(await readCreation(away, owner)).toMatchObject({ isFinished: false })
  const elsewhere = ports({ members: { signUp: async () => 'another workspace' } })
  await expect(createTeamMember(elsewhere, manager, input)).rejects.toMatchObject({ reason: 'PROVIDER_ANSWER_INVALID' })
  const unknownLink = ports({ members: { isInviteHashValid: async () => false } })
  await expect(createTeamMember(unknownLink, manager, input)).rejects.toThrow("does not know the workspace's own invite link")
  expect(await leftOpenLinks(desk.store)).toEqual([])
})

test('a password is proved; only a further step that the platform wants is an error', async () => {
  const prove = (logIn: TeamPorts['identity']['logIn']) =>
    proveSignIn(ports({ identity: { ...desk.instance().ports.identity, logIn } }), owner, 'demo')
  await expect(prove(failing('PLATFORM_REFUSED'))).resolves.toBeUndefined()
  await prepareTemporaryPassword(ports(), owner)
  await expect(prove(failing('PLATFORM_REFUSED'))).rejects.toThrow('IS_EMAIL_VERIFICATION_REQUIRED')
  await expect(prove(failing('PROVIDER_UNAVAILABLE'))).resolves.toBeUndefined()
})

test('the link is closed whatever happens, and recorded as open until it is', async () => {
  const inside = async (own: TeamPorts, step: () => Promise<string> = async () => 'done') => withOpenInviteLink(own, access, step)
  const open = async () => (await leftOpenLinks(desk.store)).map((link) => link.workspaceId)
  expect(await inside(ports(), async () => `done, ${(await open()).join()}`)).toBe('done, team')
  expect([asked, await open()]).toEqual([['open', 'close'], []])
  await expect(inside(ports(), failing('WRONG_STATE'))).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  expect([isLinkOpen, await open()]).toEqual([false, []])
  // A link that the workspace opened itself is not touched.
  isLinkOpen = true
  asked = []
  await inside(ports())
  expect([asked, isLinkOpen]).toEqual([[], true])
  isLinkOpen = false
  const own = (setInviteLink: MemberDirectory['setInviteLink']) => ports({ members: { setInviteLink } })
  await expect(inside(own(failing('PLATFORM_REFUSED')))).rejects.toMatchObject({ reason: 'PLATFORM_REFUSED' })
  expect(await open()).toEqual([])
  const lostAnswer = own(async (_, isEnabled) => {
    isLinkOpen = isEnabled
    if (isEnabled) throw new AppError('DEADLINE_PASSED')
  })
  await expect(inside(lostAnswer)).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  expect([isLinkOpen, await open()]).toEqual([false, ['team']])
  const notClosed = own(async (_, isEnabled) => {
    if (!isEnabled) throw new AppError('TOKEN_REFUSED')
    isLinkOpen = true
  })
  expect(await inside(notClosed)).toBe('done')
  expect(await open()).toEqual(['team'])
  const unrecorded = ports({ store: failingStore(desk.store, (key) => key === 'team:open-invite-links' && !isLinkOpen) })
  expect(await inside(unrecorded)).toBe('done')
  await expect(
    inside(ports({ members: { inviteLink: async () => ({ workspaceId: 'x', inviteHash: 'h', isEnabled: true }) } })),
  ).rejects.toThrow('another workspace')
  const without = ports({ members: { inviteLink: async () => ({ workspaceId, inviteHash: null, isEnabled: false }) } })
  await expect(inside(without)).rejects.toMatchObject({ reason: 'NOT_CONFIGURED' })
})

test('a link that was left open is closed by a request of a manager, at most every ten seconds, and reported after a minute', async () => {
  const errors: unknown[] = []
  const log = createLog('silent')
  log.error = (facts: unknown) => void errors.push(facts)
  const store = lateStore(desk.store)
  const checks: string[] = []
  const own = ports({
    log,
    store: {
      ...store,
      sortedRange(list, range) {
        checks.push(list)
        return store.sortedRange(list, range)
      },
    },
  })
  await desk.store.sortedAdd('team:open-invite-links', workspaceId, desk.clock.now())
  desk.clock.advance(60_000)
  await reportLeftOpenLinks(own)
  expect(errors).toEqual([])
  desk.clock.advance(1)
  await reportLeftOpenLinks(own)
  expect(errors).toMatchObject([{ workspaceId }])
  checks.length = 0
  const principalOf = (role: 'MANAGER' | 'USER') => ({
    ...own.principals,
    known: () => null,
    follow: () => new DisposableStack(),
    learn: (_accessToken: string, lookUp: () => Promise<FoundPrincipal>) => lookUp(),
    resolve: async () => ({ ...manager.principal, role }),
  })
  await closingLeftOpenLinks(own, principalOf('USER')).resolve('token')
  expect(checks).toHaveLength(0)
  await desk.store.sortedRemove('team:open-invite-links', workspaceId)
  const principals = closingLeftOpenLinks(own, principalOf('MANAGER'))
  const checksAfter = async (ms: number): Promise<number> => {
    desk.clock.advance(ms)
    await principals.resolve('token')
    return checks.length
  }
  expect([await checksAfter(0), await checksAfter(9_999), await checksAfter(1)]).toEqual([1, 1, 2])
  await desk.store.sortedAdd('team:open-invite-links', workspaceId, desk.clock.now())
  await closeLeftOpenLink(own, manager)
  expect([asked, await leftOpenLinks(desk.store)]).toEqual([['close'], []])
  asked = []
  await closeLeftOpenLink(own, manager)
  expect(asked).toEqual([])
  await closeLeftOpenLink({ ...own, store: failingStore(desk.store, () => true) }, manager)
})

test('changes of one team wait for each other, two hundred at most; what only looks does not wait', async () => {
  const own = ports()
  const gate = Promise.withResolvers<void>()
  const order: number[] = []
  const changes = Array.from({ length: 200 }, (_, index) =>
    withTeamLease(own, workspaceId, async () => {
      await gate.promise
      order.push(index)
    }),
  )
  await expect(withTeamLease(own, workspaceId, async () => order.push(200))).rejects.toMatchObject({ reason: 'OVERLOADED' })
  await ifTeamIsFree(own, workspaceId, async () => void order.push(201))
  gate.resolve()
  await Promise.all(changes)
  expect(order).toEqual(Array.from({ length: 200 }, (_, index) => index))
  await ifTeamIsFree(own, workspaceId, async () => void order.push(202))
  expect(order.at(-1)).toBe(202)
  const shared = ports({ isShared: true })
  await desk.store.setIfAbsent(`team:${workspaceId}:change`, 'another instance', { ttlMs: 10_000 })
  await ifTeamIsFree(shared, workspaceId, async () => void order.push(203))
  await desk.store.delete(`team:${workspaceId}:change`)
  await ifTeamIsFree(shared, workspaceId, async () => void order.push(204))
  expect(order.at(-1)).toBe(204)
  expect(order).not.toContain(203)
})

test('a removed member leaves nothing, also if the agent record is gone; a failure is finished by a repetition', async () => {
  agents.set('m2', profile('a2', 'm2', 'm2 Rao'))
  const own = ports({ teamAgents: { unlink: failing('PROVIDER_UNAVAILABLE') } })
  await prepareTemporaryPassword(own, { workspaceId, email: 'm2@demo.example' })
  await expect(deactivateTeamMember(own, manager, 'm2')).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(members.map(({ id }) => id)).toEqual(['m1'])
  const gone = ports({ teamAgents: { unlink: failing('NOT_FOUND') } })
  expect(await deactivateTeamMember(gone, manager, 'm2')).toEqual({ memberId: 'm2', sessionEnded: false })
  expect(asked).toEqual(['remove m2', 'remove m2'])
  expect(await findTemporaryPassword(own, { workspaceId, email: 'm2@demo.example' })).toBe('NEVER_STORED')
  expect(await own.audit.read(workspaceId, { limit: 1 })).toMatchObject([
    { action: 'member.deactivated', target: { id: 'm2', name: 'm2 Rao' } },
  ])
  await expect(deactivateTeamMember(ports(), manager, 'm2')).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  await expect(deactivateTeamMember(ports(), manager, 'm1')).rejects.toMatchObject({ reason: 'WRONG_STATE' })
})

test('a change asks the platform for what is different, and for nothing else', async () => {
  agents.set('m2', profile('a2', 'm2', 'm2 Rao'))
  const change = (memberId: string, input: object) => updateTeamMember(ports(), manager, { memberId, change: input })
  await change('m2', { firstName: 'm2', role: 'USER', agent: { sipPassword: 'secret', sipExtension: '1301' } })
  expect(asked).toEqual(['update a2: {"sipExtension":"1301"}'])
  asked = []
  await change('m2', { agent: { providerAgentPassword: 'secret' } })
  expect(asked).toEqual([])
  await change('m2', { lastName: 'Verma' })
  expect(asked).toEqual(['update a2: {"name":"m2 Verma"}', 'name of m2: m2 Verma'])
  asked = []
  agents.set('m2', profile('a2', 'm2', 'Own Name'))
  await change('m2', { lastName: 'Verma', role: 'MANAGER' })
  expect(asked).toEqual(['role of m2: r1', 'name of m2: m2 Verma'])
  await expect(change('m1', { role: 'USER' })).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  await expect(change('m1', { agent: { sipExtension: '1301' } })).rejects.toThrow('is the extension of Own Name')
  await expect(change('m1', { agent: { providerAgentId: 'a2' } })).rejects.toThrow('is the agent ID of Own Name')
  await expect(change('m9', { role: 'USER' })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})

test('two agents that share an agent ID and an extension already can be changed with these unchanged; a third cannot take them', async () => {
  agents.set('m1', { ...profile('a1', 'm1', 'm1 Rao'), providerAgentId: 'shared' })
  agents.set('m2', { ...profile('a2', 'm2', 'm2 Rao'), providerAgentId: 'shared' })
  const change = (memberId: string, agent: object) => updateTeamMember(ports(), manager, { memberId, change: { agent } })
  await change('m2', { providerAgentId: 'shared', sipExtension: '1301', campaignName: 'Other' })
  expect(asked).toEqual(['update a2: {"sipExtension":"1301","providerAgentId":"shared","campaignName":"Other"}'])
  agents.set('m2', profile('a2', 'm2', 'm2 Rao'))
  await expect(change('m2', { providerAgentId: 'shared' })).rejects.toThrow('is the agent ID of m1 Rao')
})
