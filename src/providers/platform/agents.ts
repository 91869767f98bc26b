import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import { type PlatformSection, platformSection } from '../../ports/configuration/platform.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { AgentRecords } from '../../ports/agents.ts'
import { type AgentRecord, agentRecord } from '../../ports/records/agent.ts'
import { type RecordFields, standardName } from '../../ports/records/record.ts'
import type { PlatformEndpoint } from './endpoint.ts'
import { platformErrorOf } from './failure.ts'
import { readRecord } from './read-record.ts'

type AgentNames = PlatformSection['objects']['agent']

const { memberId: _known, ...readFields } = agentRecord.fields

/** Our name of each field that is read -> the workspace's. The member is known: the records are filtered by it. */
function wantedFields(names: AgentNames): readonly (readonly [ours: string, theirs: string])[] {
  const theirs: Readonly<Record<string, string>> = names.fields
  return Object.entries<RecordFields[string]>(readFields).map(([ours, field]) => {
    const standard = standardName(ours, field)
    return [ours, theirs[standard] ?? standard]
  })
}

/** How long a field that a workspace lacks is left out of the query. */
const lackingForMs = 300_000

/** Reads agent records by the names in the workspace's `platform` configuration. Fields that a workspace lacks are left out. */
export function createPlatformAgents({
  endpoint,
  configuration,
  log,
}: {
  readonly endpoint: PlatformEndpoint
  readonly configuration: Configuration
  readonly log: Log
}): AgentRecords {
  const lacking = new LRUCache<string, ReadonlySet<string>>({ max: 1_000, ttl: lackingForMs })

  const read = async (names: AgentNames, memberId: string, asked: Asked): Promise<AgentRecord | null> => {
    const missing = lacking.get(asked.workspaceId) ?? new Set<string>()
    try {
      const document = documentOf(names, memberId, missing)
      const node = await endpoint.request({ endpoint: 'records', document, accessToken: asked.accessToken, answer: answerShape })
      return node && readRecord(agentRecord, { ...node, memberId })
    } catch (error) {
      const platformError = platformErrorOf(error)
      if (platformError?.facts.subCode === 'PERMISSION_DENIED') return warn(asked, 'may not be read with this role')
      if (platformError?.facts.kind !== 'UNKNOWN_FIELD') throw error
      const field = unknownOptionalField(names, platformError.platformMessage())
      if (field === null && asked.isGuess) throw new AppError('STORE_UNAVAILABLE', { data: { retryAfterSeconds: 5 }, cause: error })
      if (field === null || missing.has(field)) return warn(asked, 'do not exist, or have no relation to members')
      lacking.set(asked.workspaceId, new Set([...missing, field]))
      return read(names, memberId, asked)
    }
  }
  const warn = ({ workspaceId }: Asked, what: string): null => {
    log.warn({ workspaceId }, `agent records ${what}; no member is treated as an agent`)
    return null
  }

  return {
    async ofMember({ workspaceId, memberId }, accessToken) {
      try {
        const { objects } = await configuration.read(workspaceId, 'platform')
        return await read(objects.agent, memberId, { workspaceId, accessToken, isGuess: false })
      } catch (error) {
        if (!(error instanceof AppError && error.reason === 'STORE_UNAVAILABLE')) throw error
        return read(standardNames, memberId, { workspaceId, accessToken, isGuess: true })
      }
    },
  }
}

/** `isGuess`: the standard names are used, because the workspace's names cannot be read. A missing field then proves nothing. */
type Asked = { readonly workspaceId: string; readonly accessToken: string; readonly isGuess: boolean }

const standardNames = platformSection.parse({}).objects.agent

/** Uses literal values, because the type of an id differs between versions. */
function documentOf(names: AgentNames, memberId: string, missing: ReadonlySet<string>): string {
  const present = wantedFields(names).filter(([, theirs]) => !missing.has(theirs))
  const fields = present.map(([ours, theirs]) => `${ours}: ${theirs}`)
  const filter = `{ ${names.fields.workspaceMember}Id: { eq: ${JSON.stringify(memberId)} } }`
  return `query AgentOfMember {
  agents: ${names.plural}(filter: ${filter}, orderBy: [{ createdAt: AscNullsFirst }], first: 1) { edges { node { id ${fields.join(' ')} } } }
}`
}

/** The unknown field in a validation error, if the record can be read without it; else null. */
function unknownOptionalField(names: AgentNames, message: string): string | null {
  const field = /^Cannot query field "(\w+)"/.exec(message)?.[1]
  return wantedFields(names).find(([, theirs]) => theirs === field)?.[1] ?? null
}

const nodeSchema = z.looseObject({ id: z.string() })
const answerShape = z
  .object({ agents: z.object({ edges: z.array(z.object({ node: nodeSchema })) }).nullable() })
  .transform(({ agents }) => agents?.edges[0]?.node ?? null)
