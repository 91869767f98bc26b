import { sipPasswordOf } from '../accounts.ts'
import { addMember, addUser, roleByLabel } from './members.ts'
import { createSeeded } from './seed-records.ts'
import { sandboxPasswordHash } from './seed.ts'
import type { LiveWorkspace, World } from './fixtures.ts'

/** Adds many plain leads, and calls spread over them, for tests under load. */
export function seedLoad(workspace: LiveWorkspace, { leads = 0, calls = 0 }: { leads?: number; calls?: number }, now: number): void {
  const offset = workspace.records.find(workspace.model.knownObject('lead'), {}).length
  const ids = Array.from({ length: leads }, (_, index) => {
    const number = offset + index
    return createSeeded(workspace, 'lead', {
      name: `Lead ${number}`,
      phones: { primaryPhoneNumber: `+9170${String(number).padStart(8, '0')}` },
      status: 'NEW',
      source: 'Import',
    }).id
  })
  const known = ids.length > 0 ? ids : workspace.records.find(workspace.model.knownObject('lead'), {}).map(({ id }) => id)
  const before = workspace.records.find(workspace.model.knownObject('call'), {}).length
  for (let index = 0; index < calls; index += 1) {
    const startedAt = now - index * 9000
    createSeeded(workspace, 'call', {
      name: `Call ${before + index}`,
      ucid: String(18_000_000_000_000 + before + index),
      direction: 'INBOUND',
      status: 'COMPLETED',
      startedAt: new Date(startedAt),
      answeredAt: new Date(startedAt + 8000),
      endedAt: new Date(startedAt + 98_000),
      durationSeconds: 90,
      leadId: known[index % Math.max(1, known.length)] ?? null,
    })
  }
}

/** Adds so many members with the User role and an agent record each, `load1@<workspace>.example` and on, for tests under load. */
export function seedAgents(world: World, workspace: LiveWorkspace, count: number): void {
  const { subdomain } = workspace.row()
  const roleId = roleByLabel(world, workspace.id, 'User')?.id ?? null
  for (let number = 1; number <= count; number += 1) {
    const person = { firstName: 'Load', lastName: String(number) }
    const email = `load${number}@${subdomain}.example`
    const user = addUser(world, { ...person, email, passwordHash: sandboxPasswordHash(), isEmailVerified: true })
    const { memberId } = addMember(world, workspace, { user, roleId })
    createSeeded(workspace, 'agent', {
      name: `Load ${number}`,
      workspaceMemberId: memberId,
      sipExtension: String(20_000 + number),
      sipPassword: sipPasswordOf(String(20_000 + number)),
      providerAgentId: `load${number}`,
      providerAgentPassword: `load-${number}`,
    })
  }
}
