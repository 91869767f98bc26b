import type { Configuration } from '../../ports/configuration/configuration.ts'
import { type PlatformSection, platformSection } from '../../ports/configuration/platform.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { keysOf } from '../../kernel/typed-keys.ts'
import type { AgentRecords } from '../../ports/agents.ts'
import { asPerson } from '../../ports/record-access.ts'
import { agentRecord } from '../../ports/records/agent.ts'
import { isPermissionDenied } from './failure.ts'
import type { ObjectShapes } from './object-shapes.ts'
import { readRecord } from './read-record.ts'
import type { RecordGate } from './record-gate.ts'
import type { RecordObject } from './record-object.ts'
import { createRecords } from './records.ts'

/** Reads agent records by the names in the workspace's `platform` configuration; by the standard names while the store is away. */
export function createPlatformAgents({
  gate,
  shapes,
  configuration,
  log,
}: {
  readonly gate: RecordGate
  readonly shapes: ObjectShapes
  readonly configuration: Configuration
  readonly log: Log
}): AgentRecords {
  const records = createRecords({ gate, shapes, log, objectsOf: (workspaceId) => namesOf(configuration, workspaceId) })
  const warn = (workspaceId: string, what: string): null => {
    log.warn({ workspaceId, why: `agent records ${what}` }, 'platform.no-agent-records')
    return null
  }

  return {
    async ofMember({ workspaceId, memberId }, accessToken) {
      const access = asPerson(workspaceId, accessToken)
      const column = memberColumn(await records.object(access, 'agent'))
      if (column === null) {
        // If the names are a guess, a missing field proves nothing: this read throws then.
        await configuration.read(workspaceId, 'platform')
        return warn(workspaceId, 'do not exist, or have no relation to members')
      }
      try {
        const { memberId: _known, ...fields } = agentRecord.fields
        const [row] = await records.list(access, 'agent', {
          fields: keysOf(fields),
          filter: () => ({ [column]: { eq: memberId } }),
          earliestBy: 'createdAt',
          first: 1,
        })
        return row ? readRecord(agentRecord, { ...row, memberId }) : null
      } catch (error) {
        if (isPermissionDenied(error)) return warn(workspaceId, 'may not be read with this role')
        throw error
      }
    },
  }
}

async function namesOf(configuration: Configuration, workspaceId: string): Promise<PlatformSection['objects']> {
  try {
    return (await configuration.read(workspaceId, 'platform')).objects
  } catch (error) {
    if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return standardNames
    throw error
  }
}

const standardNames = platformSection.parse({}).objects

/** Null if the workspace has no agents, or they have no relation to members. */
function memberColumn(agent: RecordObject<'agent'> | null): string | null {
  return agent?.column('memberId') ?? null
}
