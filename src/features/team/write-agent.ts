import { AppError, invalidInput } from '../../kernel/errors.ts'
import { readAgentSecrets, writeAgentSecrets } from '../sessions/agent-secrets.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import type { MemberRecord, TeamAccess, TeamAgents } from '../../ports/members.ts'
import type { AgentValues } from '../../ports/records/agent.ts'
import type { AgentInput } from './team-input.ts'

export type WriteAgentOptions = { readonly agents: TeamAgents; readonly sessionPorts: SessionPorts }

/** A member's agent record and passwords, for whoever has the workspace's turn. */
export function createAgentDesk({ agents, sessionPorts }: WriteAgentOptions) {
  const writeSecrets = async (workspaceId: string, agentId: string, { sipPassword, providerAgentPassword }: AgentInput): Promise<void> => {
    if (!sipPassword && !providerAgentPassword) return
    const agent = { workspaceId, agentId }
    const kept = await readAgentSecrets(sessionPorts, agent)
    await writeAgentSecrets(sessionPorts, agent, {
      sipPassword: sipPassword ?? kept.sipPassword,
      providerAgentPassword: providerAgentPassword ?? kept.providerAgentPassword,
    })
  }

  return {
    /**
     * Says before anything is changed what would stand in the way. `path`: that of the agent in the input. Errors: NOT_CONFIGURED (no agent
     * records here), INVALID_INPUT (the extension is another agent's).
     */
    async check(
      access: TeamAccess,
      { sipExtension }: AgentInput,
      { memberId, path }: { memberId: string | null; path: string },
    ): Promise<void> {
      if (!(await agents.areThere(access))) {
        const detail = 'This workspace has no agent records yet; provisioning makes them (POST /api/setup/provision)'
        throw new AppError('NOT_CONFIGURED', { detail })
      }
      if (!sipExtension) return
      const holders = await agents.withExtension(access, sipExtension)
      if (holders.some((holder) => holder.memberId !== null && holder.memberId !== memberId)) {
        throw invalidInput(`${path}.sipExtension`, 'is the extension of another agent')
      }
    },
    /** The agent record bears the member's name; one that was given another name keeps it. */
    async rename(access: TeamAccess, former: MemberRecord, renamed: MemberRecord): Promise<void> {
      const agent = (await agents.ofMembers(access, [former.id])).get(former.id)
      if (agent?.name === fullName(former)) await agents.update(access, agent.id, { name: fullName(renamed) })
    },
    /** Writes the record and seals the passwords; what is not given stays. Repeatable. */
    async write(access: TeamAccess, member: MemberRecord, given: AgentInput): Promise<void> {
      const { id: memberId } = member
      const values = agentValues(given)
      const agent = (await agents.ofMembers(access, [memberId])).get(memberId)
      const agentId = agent?.id ?? (await agents.create(access, memberId, { name: fullName(member), ...values }))
      // First the passwords: an agent who can be seen can also sign in.
      await writeSecrets(access.workspaceId, agentId, given)
      if (agent && Object.keys(values).length > 0) await agents.update(access, agent.id, values)
    },
  }
}
export type AgentDesk = ReturnType<typeof createAgentDesk>

function fullName({ firstName, lastName }: MemberRecord): string {
  return `${firstName} ${lastName}`.trim()
}

/** The given fields of the agent record, without passwords. */
export function agentValues({ sipPassword: _sip, providerAgentPassword: _provider, ...given }: AgentInput): AgentValues {
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
