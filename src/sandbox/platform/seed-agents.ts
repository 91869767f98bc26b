import { addMember, addUser, roleByLabel } from './members.ts'
import { createSeeded } from './seed-records.ts'
import { sandboxPassword } from './seed.ts'
import type { LiveWorkspace, World } from './fixtures.ts'

/** Adds so many members with the User role and an agent record each, `load1@<workspace>.example` and on, for tests under load. */
export function seedAgents(world: World, workspace: LiveWorkspace, count: number): void {
  const { subdomain } = workspace.row()
  const roleId = roleByLabel(world, workspace.id, 'User')?.id ?? null
  for (let number = 1; number <= count; number += 1) {
    const person = { firstName: 'Load', lastName: String(number) }
    const email = `load${number}@${subdomain}.example`
    const user = addUser(world, { ...person, email, password: sandboxPassword, isEmailVerified: true })
    const { memberId } = addMember(world, workspace, { user, roleId })
    createSeeded(workspace, 'agent', {
      name: `Load ${number}`,
      workspaceMemberId: memberId,
      sipExtension: String(20_000 + number),
      sipPassword: `sandbox-sip-${20_000 + number}`,
      providerAgentId: `load${number}`,
      providerAgentPassword: `load-${number}`,
    })
  }
}
