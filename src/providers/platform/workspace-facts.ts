import { z } from 'zod'
import type { WorkspaceFacts } from '../../ports/workspace-facts.ts'
import type { PlatformEndpoint } from './endpoint.ts'

const namesSchema = z.object({ fields: z.array(z.object({ name: z.string() })) }).nullish()
const rootFieldsAnswer = z.object({ __schema: z.object({ queryType: namesSchema, mutationType: namesSchema }) })
const rootFieldsDocument = 'query RootFields { __schema { queryType { fields { name } } mutationType { fields { name } } } }'
const membersAnswer = z.object({ workspaceMembers: z.object({ totalCount: z.int() }) })
const membersDocument = 'query CountMembers { workspaceMembers(first: 1) { totalCount } }'
const typeAnswer = z.object({ __type: namesSchema })
const typeDocument = 'query AgentFields($name: String!) { __type(name: $name) { fields { name } } }'
const countAnswer = z.record(z.string(), z.object({ totalCount: z.int() }))

export function createWorkspaceFacts(endpoint: PlatformEndpoint): WorkspaceFacts {
  return {
    async rootFields(accessToken) {
      const request = { endpoint: 'records', document: rootFieldsDocument, accessToken, answer: rootFieldsAnswer } as const
      const { __schema: schema } = await endpoint.request(request)
      return [schema.queryType, schema.mutationType].flatMap((type) => (type?.fields ?? []).map(({ name }) => name))
    },
    async countMembers(accessToken) {
      const request = { endpoint: 'records', document: membersDocument, accessToken, answer: membersAnswer } as const
      return (await endpoint.request(request)).workspaceMembers.totalCount
    },
    async readablePasswords(accessToken, { objects: { agent } }) {
      const passwords = [agent.fields.sipPassword, agent.fields.providerAgentPassword]
      const typeName = agent.singular.charAt(0).toUpperCase() + agent.singular.slice(1)
      const variables = { name: typeName }
      const { __type: type } = await endpoint.request({
        endpoint: 'records',
        document: typeDocument,
        variables,
        accessToken,
        answer: typeAnswer,
      })
      const there = passwords.filter((password) => type?.fields.some(({ name }) => name === password))
      const counts = await Promise.all(
        there.map(async (field) => {
          const document = filledDocument(agent.plural, field)
          const answer = await endpoint.request({ endpoint: 'records', document, accessToken, answer: countAnswer })
          return { field, count: answer[agent.plural]?.totalCount ?? 0 }
        }),
      )
      return counts.filter(({ count }) => count > 0).map(({ field }) => field)
    },
  }
}

/** Names come from the configuration, whose schema lets only camelCase names in. */
function filledDocument(plural: string, field: string): string {
  return `query FilledPasswords { ${plural}(first: 1, filter: { and: [{ ${field}: { is: NOT_NULL } }, { ${field}: { neq: "" } }] }) { totalCount } }`
}
