import { isoMoment } from '../../kernel/clock.ts'
import { telephonyAccounts } from '../accounts.ts'
import { internalError } from './errors.ts'
import { addMember, addUser, roleByLabel, userByEmail } from './members.ts'
import { addApiKey, issueApiKey } from './metadata-keys.ts'
import { createSeeded, seedRecords } from './seed-records.ts'
import type { StoredRecord } from './record-table.ts'
import type { LiveWorkspace, World } from './world.ts'

/** The password of every seeded member. */
export const sandboxPassword = 'sandbox-password'
export const sandboxWorkspaces = ['demo', 'acme'] as const

/** The members of each workspace; who has `agent` also has an agent record with that provider agent id. */
const members = [
  { name: 'manager', firstName: 'Meera', lastName: 'Iyer', role: 'Manager', agent: null },
  { name: 'agent1', firstName: 'Asha', lastName: 'Rao', role: 'User', agent: 1 },
  { name: 'agent2', firstName: 'Vikram', lastName: 'Nair', role: 'User', agent: 2 },
  { name: 'agent3', firstName: 'Fatima', lastName: 'Khan', role: 'User', agent: 3 },
  { name: 'user', firstName: 'Rohan', lastName: 'Gupta', role: 'User', agent: null },
  { name: 'guest', firstName: 'Leela', lastName: 'Das', role: null, agent: null },
] as const

export type SeedOptions = { readonly recordingBaseUrl: string | null }

/** Fills an empty world with the sandbox's workspaces; one that has them already is left as it is. */
export async function seedWorld(world: World, options: SeedOptions): Promise<void> {
  for (const subdomain of sandboxWorkspaces) {
    if (!world.workspaceBySubdomain(subdomain)) await seedWorkspace(world, subdomain, options)
  }
}

async function seedWorkspace(world: World, subdomain: string, options: SeedOptions): Promise<void> {
  const displayName = subdomain === 'demo' ? 'Lakeside Hospital' : 'Acme Clinics'
  const workspace = world.addWorkspace(subdomain, { displayName, isCallCenter: true })
  const agents = members.flatMap((member) => {
    const user = addUser(world, {
      ...member,
      email: `${member.name}@${subdomain}.example`,
      password: sandboxPassword,
      isEmailVerified: true,
    })
    const role = member.role === null ? undefined : roleByLabel(world, workspace.id, member.role)
    const { memberId } = addMember(world, workspace, { user, roleId: role?.id ?? null })
    return member.agent === null ? [] : [addAgent(workspace, { ...member, number: member.agent, workspaceMemberId: memberId })]
  })
  const key = addApiKey(world, workspace, {
    name: 'Call center',
    expiresAt: isoMoment(world.clock.now() + 10 * 365 * 86_400_000),
    roleId: roleByLabel(world, workspace.id, 'Admin')?.id ?? '',
  })
  world.state.texts.set(`apiKey:${subdomain}`, await issueApiKey(world, key))
  seedRecords(workspace, { agents, now: world.clock.now(), recordingBaseUrl: options.recordingBaseUrl })
}

type NewAgent = { readonly firstName: string; readonly lastName: string; readonly number: number; readonly workspaceMemberId: string }

function addAgent(workspace: LiveWorkspace, { firstName, lastName, number, workspaceMemberId }: NewAgent): StoredRecord {
  const account = telephonyAccounts[workspace.row().subdomain === 'acme' ? 'acme' : 'demo']
  const line = account.agents[number - 1]
  return createSeeded(workspace, 'agent', {
    name: `${firstName} ${lastName}`,
    workspaceMemberId,
    sipExtension: line?.phoneNumber ?? '',
    sipPassword: `sandbox-sip-${line?.phoneNumber ?? ''}`,
    providerAgentId: line?.id ?? '',
    providerAgentPassword: line?.password ?? '',
    campaignName: account.campaigns[0].name,
  })
}

export function memberOf(world: World, workspace: LiveWorkspace, email: string) {
  const user = userByEmail(world, email)
  const membership = [...world.state.memberships.values()].find(
    ({ userId, workspaceId }) => userId === user?.id && workspaceId === workspace.id,
  )
  if (!user || !membership) throw internalError(`${email} is no member`)
  return { user, membership }
}
