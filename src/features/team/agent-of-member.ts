import { AppError, invalidInput } from '../../kernel/errors.ts'
import type { MemberRecord, TeamAccess } from '../../ports/members.ts'
import type { AgentValues } from '../../ports/records/agent.ts'
import { readAgentSecrets, writeAgentSecrets } from '../sessions/agent-secrets.ts'
import type { AgentInput } from './team-input.ts'
import type { TeamPorts } from './team-ports.ts'

type AgentPorts = Pick<TeamPorts, 'teamAgents' | 'store' | 'sessionBox' | 'configuration' | 'schemas'>

/**
 * Checks the input for an agent record before anything is changed. `path`: the path of the agent in the input. Errors: NOT_CONFIGURED (the
 * workspace has no agent records), INVALID_INPUT (another agent has the extension, or the ID at the provider).
 */
export async function checkAgent(
  { teamAgents }: Pick<AgentPorts, 'teamAgents'>,
  access: TeamAccess,
  { agent, memberId, path }: { readonly agent: AgentInput; readonly memberId: string | null; readonly path: string },
): Promise<void> {
  if (!(await teamAgents.areThere(access))) {
    const detail = 'This workspace has no agent records yet; provisioning creates them (POST /api/setup/provision)'
    throw new AppError('NOT_CONFIGURED', { detail })
  }
  const present = memberId === null ? undefined : (await teamAgents.ofMembers(access, [memberId])).get(memberId)
  for (const [field, what] of ofOneAgent) {
    const value = agent[field]
    // Clients send unchanged values too. Two agents that share one already must stay editable.
    const holders = value && value !== present?.[field] ? await teamAgents.withValue(access, field, value) : []
    const other = holders.find((holder) => holder.memberId !== null && holder.memberId !== memberId)
    if (other) throw invalidInput(`${path}.${field}`, `is the ${what} of ${other.name ?? 'another agent'}`)
  }
}

/** Two agents with one of these would take each other's calls, and sign each other out. */
const ofOneAgent = [
  ['sipExtension', 'extension'],
  ['providerAgentId', 'agent ID'],
] as const

/** Gives the agent record the member's new name, unless it has a name of its own. */
export async function renameAgent(
  { teamAgents }: Pick<AgentPorts, 'teamAgents'>,
  access: TeamAccess,
  { before, after }: { readonly before: MemberRecord; readonly after: MemberRecord },
): Promise<void> {
  const agent = (await teamAgents.ofMembers(access, [before.id])).get(before.id)
  if (agent?.name === fullName(before)) await teamAgents.update(access, agent.id, { name: fullName(after) })
}

/** Writes the member's agent record and seals the passwords. What is left out does not change. Repeatable. */
export async function writeAgent(
  ports: AgentPorts,
  access: TeamAccess,
  { member, agent: input }: { readonly member: MemberRecord; readonly agent: AgentInput },
): Promise<void> {
  const { teamAgents } = ports
  const values = agentValues(input)
  const present = (await teamAgents.ofMembers(access, [member.id])).get(member.id)
  const agentId = present?.id ?? (await teamAgents.create(access, member.id, { name: fullName(member), ...values }))
  // The passwords first: an agent whose record is visible can also sign in.
  await writeSecrets(ports, { workspaceId: access.workspaceId, agentId, memberId: member.id }, input)
  if (present && Object.keys(values).length > 0) await teamAgents.update(access, present.id, values)
}

async function writeSecrets(
  ports: AgentPorts,
  agent: { readonly workspaceId: string; readonly agentId: string; readonly memberId: string },
  { sipPassword, providerAgentPassword }: AgentInput,
): Promise<void> {
  if (!sipPassword && !providerAgentPassword) return
  const { secrets: stored } = await readAgentSecrets(ports, agent)
  await writeAgentSecrets(ports, agent, {
    sipPassword: sipPassword ?? stored.sipPassword,
    providerAgentPassword: providerAgentPassword ?? stored.providerAgentPassword,
  })
}

function fullName({ firstName, lastName }: MemberRecord): string {
  return `${firstName} ${lastName}`.trim()
}

/** The given fields of the agent record, without passwords. */
export function agentValues({ sipPassword: _sip, providerAgentPassword: _provider, ...given }: AgentInput): AgentValues {
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
