import { AppError } from '../../kernel/errors.ts'
import { derivedId, newId } from '../../kernel/ids.ts'
import type { TeamAccess, TeamAgent, TeamAgents } from '../../ports/members.ts'
import { textOf } from './field-values.ts'
import type { RecordObject } from './record-object.ts'
import type { Records } from './records.ts'

const fields = ['name', 'workspaceMember', 'sipExtension', 'providerAgentId', 'campaignName'] as const
/** The platform's longest page. */
const most = 200

type AgentRow = { readonly id: string } & { readonly [Field in (typeof fields)[number]]?: unknown }

/** Agent records by the names that the workspace's `platform` configuration gives. */
export function createTeamAgents(records: Records): TeamAgents {
  const list = async (access: TeamAccess, filter: (object: RecordObject<'agent'>) => Record<string, unknown> | null) => {
    const rows = await records.list(access, 'agent', { fields, filter, first: most, ...(access.signal && { signal: access.signal }) })
    return rows.map(agentOf)
  }
  const update: TeamAgents['update'] = async (access, id, values) => void (await records.update(access, 'agent', { id, values }))

  return {
    areThere: async (access) => typeof (await records.object(access, 'agent'))?.column('workspaceMember') === 'string',
    async ofMembers(access, memberIds) {
      if (memberIds.length === 0) return new Map()
      const agents = await list(access, (object) => filterBy(object.column('workspaceMember'), { in: memberIds }))
      // Newest first: the oldest is put last, and stays.
      return new Map(agents.flatMap((agent) => (agent.memberId === null ? [] : [[agent.memberId, agent] as const])))
    },
    withExtension: (access, extension) => list(access, (object) => filterBy(object.column('sipExtension'), { eq: extension })),
    async create(access, memberId, given) {
      const values = { ...given, workspaceMember: memberId }
      const id = derivedId('agent of member', access.workspaceId, memberId)
      const { created } = await records.create(access, 'agent', { id, values })
      if (created) return id
      try {
        await update(access, id, values)
        return id
      } catch (error) {
        if (!(error instanceof AppError && error.reason === 'NOT_FOUND')) throw error
        // One under that id was deleted, and stands in the way.
        const other = newId()
        await records.create(access, 'agent', { id: other, values })
        return other
      }
    },
    update,
    unlink: async (access, id) => void (await records.update(access, 'agent', { id, values: { workspaceMember: null } })),
  }
}

function filterBy(column: string | null, condition: object): Record<string, unknown> | null {
  return column === null ? null : { [column]: condition }
}

function agentOf({ id, name, workspaceMember, sipExtension, providerAgentId, campaignName }: AgentRow): TeamAgent {
  return {
    id,
    memberId: textOf(workspaceMember),
    name: textOf(name) ?? 'Agent',
    sipExtension: textOf(sipExtension),
    providerAgentId: textOf(providerAgentId),
    campaignName: textOf(campaignName),
  }
}
