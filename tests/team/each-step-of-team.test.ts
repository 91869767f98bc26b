import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { createTeamMember } from '../../src/features/team/create-team-member.ts'
import { deactivateTeamMember } from '../../src/features/team/deactivate-team-member.ts'
import { reportLeftOpenLinks } from '../../src/features/team/left-open-links.ts'
import { readTemporaryPassword } from '../../src/features/team/read-temporary-password.ts'
import { notePassword, prepareTemporaryPassword } from '../../src/features/team/temporary-passwords.ts'
import { updateTeamMember } from '../../src/features/team/update-team-member.ts'
import type { ErrorReason } from '../../src/kernel/errors.ts'
import { failEachStep, type Outcomes } from '../harness/each-step.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'

/** Every step of these use cases fails once. A failure that is in no list fails the use case with the same error. */

let desk: WiredDesk
let manager: Actor
beforeAll(async () => {
  desk = await createWiredDesk()
  manager = await desk.signIn('manager@demo.example')
})
afterAll(() => desk[Symbol.asyncDispose]())

const outcomes = <Subject>(
  prepare: () => Promise<Subject>,
  run: (subject: Subject) => Promise<unknown>,
  reason?: ErrorReason | 'unexpected',
): Promise<Outcomes> => failEachStep(desk.steps, { prepare, run, ...(reason && { reason }) })

let people = 0
const person = async () => {
  people += 1
  const agent = { sipExtension: `2${String(people).padStart(3, '0')}`, sipPassword: 'secret', providerAgentPassword: 'secret' }
  return { email: `new${people}@demo.example`, firstName: `Asha${people}`, lastName: 'Rao', role: 'USER', agent } as const
}
const member = async () => createTeamMember(desk.team, manager, await person())
const owner = async () => ({ workspaceId: desk.workspaceId, email: (await person()).email })

test('a member who is created', async () => {
  expect(await outcomes(person, (input) => createTeamMember(desk.team, manager, input))).toEqual({
    tolerated: ['identity.logIn', 'store.compareAndDelete team:*:change', 'store.delete agents:*:record:*'],
  })
})

test('a member who is changed, and removed', async () => {
  const change = { firstName: 'Usha', role: 'MANAGER', agent: { sipPassword: 'other' } }
  expect(await outcomes(member, ({ id }) => updateTeamMember(desk.team, manager, { memberId: id, change }))).toEqual({
    tolerated: ['store.compareAndDelete team:*:change', 'store.delete agents:*:record:*'],
  })
  expect(await outcomes(member, ({ id }) => deactivateTeamMember(desk.team, manager, id), 'NOT_FOUND')).toEqual({
    tolerated: ['teamAgents.unlink'],
  })
  expect(await outcomes(member, ({ id }) => deactivateTeamMember(desk.team, manager, id))).toEqual({
    tolerated: ['store.compareAndDelete team:*:change', 'store.delete agents:*:record:*'],
  })
})

test('a temporary password', async () => {
  expect(await outcomes(owner, (own) => prepareTemporaryPassword(desk.team, own))).toEqual({})
  const prepared = async () => {
    const own = await owner()
    return { own, password: await prepareTemporaryPassword(desk.team, own) }
  }
  expect(await outcomes(prepared, ({ own, password }) => notePassword(desk.team, own, password))).toEqual({})
  expect(await outcomes(prepared, ({ own }) => notePassword(desk.team, own, 'their own'))).toEqual({})
  expect(
    await outcomes(member, ({ id }) => readTemporaryPassword(desk.team, manager, { memberId: id, signal: new AbortController().signal })),
  ).toEqual({})
  expect(await outcomes(owner, () => reportLeftOpenLinks(desk.team))).toEqual({})
})
