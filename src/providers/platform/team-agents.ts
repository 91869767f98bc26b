import { keysOf } from '../../kernel/typed-keys.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { TeamAccess, TeamAgents } from '../../ports/members.ts'
import { type AgentProfile, agentProfileRecord, type AgentValues } from '../../ports/records/agent.ts'
import { type Condition, type Filter, withId } from './filter.ts'
import { readRecord } from './read-record.ts'
import type { RecordObject } from './record-object.ts'
import type { Records } from './records.ts'

/** The platform's longest page. */
const most = 200

type AgentFilter = (agent: RecordObject<'agent'>) => Filter | null

/** Agent records by the names that the workspace's `platform` configuration gives. */
export function createTeamAgents(records: Records): TeamAgents {
  const list = (access: TeamAccess, filter: AgentFilter): Promise<readonly AgentProfile[]> => listAgents(records, access, filter)

  return {
    areThere: async (access) => typeof (await records.object(access, 'agent'))?.column('memberId') === 'string',
    async ofMembers(access, memberIds) {
      if (memberIds.length === 0) return new Map()
      const agents = await list(access, (agent) => filterBy(agent.column('memberId'), { in: memberIds }))
      // Newest first, so the oldest one of a member overwrites the others.
      return new Map(agents.flatMap((agent) => (agent.memberId === null ? [] : [[agent.memberId, agent] as const])))
    },
    byId: async (access, agentId) => (await list(access, () => withId(agentId)))[0] ?? null,
    withValue: (access, field, value) => list(access, (agent) => filterBy(agent.column(field), { eq: value })),
    create: (access, memberId, values) => create(records, access, { ...values, memberId }),
    update: async (access, id, values) => void (await records.update(access, 'agent', { id, values })),
    unlink: async (access, id) => void (await records.update(access, 'agent', { id, values: { memberId: null } })),
  }
}

async function listAgents(records: Records, access: TeamAccess, filter: AgentFilter): Promise<readonly AgentProfile[]> {
  const signal = access.signal && { signal: access.signal }
  const rows = await records.list(access, 'agent', { fields: keysOf(agentProfileRecord.fields), filter, first: most, ...signal })
  return rows.map((row) => readRecord(agentProfileRecord, row))
}

async function create(records: Records, access: TeamAccess, values: AgentValues & { readonly memberId: string }): Promise<string> {
  const id = derivedId('agent of member', access.workspaceId, values.memberId)
  const { created } = await records.create(access, 'agent', { id, values })
  // A deleted record has this id: restored, it has its old calls again.
  if (!created) await records.upsertMany(access, 'agent', [{ id, values }])
  return id
}

function filterBy(column: string | null, condition: Condition): Filter | null {
  return column === null ? null : { [column]: condition }
}
