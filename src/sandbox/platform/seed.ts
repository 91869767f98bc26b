import { isoMoment } from '../clock.ts'
import { type SandboxWorkspace, sipPasswordOf, telephonyAccounts } from '../accounts.ts'
import { addMember, addUser, roleByLabel } from './members.ts'
import { addApiKey, issueApiKey } from './metadata-keys.ts'
import { hashPassword } from './passwords.ts'
import { createSeeded, seedRecords } from './seed-records.ts'
import type { LiveWorkspace, World } from './fixtures.ts'

/** The password of every seeded member. */
export const sandboxPassword = 'sandbox-password'
let hash: string | undefined
export function sandboxPasswordHash(): string {
  return (hash ??= hashPassword(sandboxPassword))
}
export const sandboxWorkspaces = ['demo', 'acme'] as const satisfies readonly SandboxWorkspace[]

const displayNames: Readonly<Record<SandboxWorkspace, string>> = { demo: 'Lakeside Hospital', acme: 'Acme Clinics' }

/** The members of each workspace beside its agents. `freshRole` is for a fresh platform; null is its default role. */
const people = [
  { name: 'manager', fullName: 'Nandini Menon', role: 'Manager', freshRole: 'Admin' },
  { name: 'user', fullName: 'Rohan Gupta', role: 'User', freshRole: null },
  { name: 'guest', fullName: 'Leela Das', role: 'Guest', freshRole: 'Guest' },
] as const

type SeedOptions = {
  readonly recordingBaseUrl: string | null
  /** A platform that was just installed: its own roles, no custom objects, no records; the manager administers it. */
  readonly isFresh: boolean
}

/** Fills an empty world with the sandbox's workspaces; one that has them already is left as it is. */
export async function seedWorld(world: World, options: SeedOptions): Promise<void> {
  for (const subdomain of sandboxWorkspaces) {
    if (!world.workspaceBySubdomain(subdomain)) await seedWorkspace(world, subdomain, options)
  }
}

async function seedWorkspace(world: World, subdomain: SandboxWorkspace, { recordingBaseUrl, isFresh }: SeedOptions): Promise<void> {
  const account = telephonyAccounts[subdomain]
  const workspace = world.addWorkspace(subdomain, { displayName: displayNames[subdomain], isCallCenter: !isFresh })
  for (const { name, fullName, role, freshRole } of people) {
    seedMember(world, workspace, { name, fullName, role: isFresh ? freshRole : role })
  }
  const agentRole = isFresh ? null : 'User'
  const agents = account.agents.map((agent) => ({
    ...agent,
    workspaceMemberId: seedMember(world, workspace, { name: agent.id, fullName: agent.name, role: agentRole }),
  }))
  const key = addApiKey(world, workspace, {
    name: 'Call center',
    expiresAt: isoMoment(world.clock.now() + 10 * 365 * 86_400_000),
    roleId: roleByLabel(world, workspace.id, 'Admin')?.id ?? '',
  })
  world.state.texts.set(`apiKey:${subdomain}`, await issueApiKey(world, key))
  if (isFresh) return
  const agentRecords = agents.map((agent) =>
    createSeeded(workspace, 'agent', {
      name: agent.name,
      workspaceMemberId: agent.workspaceMemberId,
      sipExtension: agent.phoneNumber,
      sipPassword: sipPasswordOf(agent.phoneNumber),
      providerAgentId: agent.id,
      providerAgentPassword: agent.password,
      campaignName: account.campaigns[0].name,
    }),
  )
  seedRecords(workspace, { agents: agentRecords, account, now: world.clock.now(), recordingBaseUrl })
  workspace.settle()
}

type Person = { readonly name: string; readonly fullName: string; readonly role: string | null }

/** Answers the id of the workspaceMember record. */
function seedMember(world: World, workspace: LiveWorkspace, { name, fullName, role }: Person): string {
  const [firstName = '', lastName = ''] = fullName.split(' ')
  const email = `${name}@${workspace.row().subdomain}.example`
  const user = addUser(world, { email, passwordHash: sandboxPasswordHash(), firstName, lastName, isEmailVerified: true })
  const roleId = role === null ? null : (roleByLabel(world, workspace.id, role)?.id ?? null)
  return addMember(world, workspace, { user, roleId }).memberId
}
