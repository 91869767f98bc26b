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
import { platformFaultOf } from './failure.ts'
import { readRecord } from './read-record.ts'

export type PlatformAgentsOptions = { readonly endpoint: PlatformEndpoint; readonly configuration: Configuration; readonly log: Log }

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

/** How long a field that a workspace lacks is not asked for again. */
const lackingForMs = 300_000

/** Agent records by the names that the workspace's `platform` configuration gives; fields that a workspace lacks are left out. */
export function createPlatformAgents({ endpoint, configuration, log }: PlatformAgentsOptions): AgentRecords {
  const lacking = new LRUCache<string, ReadonlySet<string>>({ max: 1_000, ttl: lackingForMs })

  const read = async (names: AgentNames, memberId: string, asked: Asked): Promise<AgentRecord | null> => {
    const missing = lacking.get(asked.workspaceId) ?? new Set<string>()
    try {
      const document = documentOf(names, memberId, missing)
      const node = await endpoint.request({ endpoint: 'records', document, accessToken: asked.accessToken, answer: answerShape })
      return node && readRecord(agentRecord, { ...node, memberId })
    } catch (error) {
      const fault = platformFaultOf(error)
      if (fault?.facts.subCode === 'PERMISSION_DENIED') return warn(asked, 'may not be read with this role')
      if (fault?.facts.kind !== 'UNKNOWN_FIELD') throw error
      const field = unknownOptionalField(names, fault.words())
      if (field === null && asked.isGuess) throw new AppError('STORE_UNAVAILABLE', { data: { retryAfterSeconds: 5 }, cause: error })
      if (field === null || missing.has(field)) return warn(asked, 'are not there, or have no relation to members')
      lacking.set(asked.workspaceId, new Set([...missing, field]))
      return read(names, memberId, asked)
    }
  }
  const warn = ({ workspaceId }: Asked, what: string): null => {
    log.warn({ workspaceId }, `agent records ${what}; nobody here counts as an agent`)
    return null
  }

  return {
    async ofMember({ workspaceId, memberId }, accessToken) {
      try {
        const { objects } = await configuration.read(workspaceId, 'platform')
        return await read(objects.agent, memberId, { workspaceId, accessToken, isGuess: false })
      } catch (error) {
        if (!(error instanceof AppError && error.reason === 'STORE_UNAVAILABLE')) throw error
        return read(usualNames, memberId, { workspaceId, accessToken, isGuess: true })
      }
    },
  }
}

/** `isGuess`: the names are the usual ones, because the workspace's own cannot be read; then nothing follows from their absence. */
type Asked = { readonly workspaceId: string; readonly accessToken: string; readonly isGuess: boolean }

const usualNames = platformSection.parse({}).objects.agent

/** Literal values: the type of an id differs between versions. */
function documentOf(names: AgentNames, memberId: string, missing: ReadonlySet<string>): string {
  const present = wantedFields(names).filter(([, theirs]) => !missing.has(theirs))
  const fields = present.map(([ours, theirs]) => `${ours}: ${theirs}`)
  const filter = `{ ${names.fields.workspaceMember}Id: { eq: ${JSON.stringify(memberId)} } }`
  return `query AgentOfMember {
  agents: ${names.plural}(filter: ${filter}, orderBy: [{ createdAt: AscNullsFirst }], first: 1) { edges { node { id ${fields.join(' ')} } } }
}`
}

/** The field that validation complained of, where the record can be read without it. */
function unknownOptionalField(names: AgentNames, words: string): string | null {
  const field = /^Cannot query field "(\w+)"/.exec(words)?.[1]
  return wantedFields(names).find(([, theirs]) => theirs === field)?.[1] ?? null
}

const nodeSchema = z.looseObject({ id: z.string() })
const answerShape = z
  .object({ agents: z.object({ edges: z.array(z.object({ node: nodeSchema })) }).nullable() })
  .transform(({ agents }) => agents?.edges[0]?.node ?? null)
