import { z } from 'zod'
import { type Api, readShape } from './api.ts'
import type { SignIn } from './session-steps.ts'
import type { StepResult } from './step-result.ts'

export type TourLead = { readonly id: string; readonly name: string; readonly phoneNumber: string }

const query = /* GraphQL */ `
  query AgentDesk {
    me {
      role
      agent {
        name
      }
    }
    leads(first: 20, orderBy: [{ createdAt: DescNullsLast }]) {
      totalCount
      edges {
        node {
          id
          name
          phones {
            primaryPhoneNumber
            primaryPhoneCallingCode
          }
        }
      }
    }
    calls(first: 1, orderBy: [{ startedAt: DescNullsLast }]) {
      totalCount
      edges {
        node {
          status
          disposition
          lead {
            name
          }
        }
      }
    }
  }
`

const phones = z.object({ primaryPhoneNumber: z.string().nullable(), primaryPhoneCallingCode: z.string().nullable() })
const connection = <Node extends z.ZodType>(node: Node) => z.object({ totalCount: z.number(), edges: z.array(z.object({ node })) })
const deskSchema = z.object({
  me: z.object({ role: z.string(), agent: z.object({ name: z.string() }).nullable() }),
  leads: connection(z.object({ id: z.string(), name: z.string(), phones: phones.nullable() })),
  calls: connection(
    z.object({ status: z.string().nullable(), disposition: z.string().nullable(), lead: z.object({ name: z.string() }).nullable() }),
  ),
})

/** One local field and two of the platform in one query. The value is a lead that could call, if there is one. */
export async function oneCombinedQuery(api: Api, { token }: SignIn): Promise<StepResult<TourLead | null>> {
  const { me, leads, calls } = readShape(await api.graphql(query, { token }), deskSchema, 'POST /graphql')
  const lead = leads.edges.flatMap(({ node }): TourLead[] => {
    const number = node.phones?.primaryPhoneNumber
    return number ? [{ id: node.id, name: node.name, phoneNumber: `${node.phones?.primaryPhoneCallingCode ?? ''}${number}` }] : []
  })[0]
  const [last] = calls.edges
  return {
    summary: 'one answer from the sidecar and the platform',
    facts: {
      me: me.agent ? `${me.role}, agent ${me.agent.name}` : me.role,
      leads: `${leads.totalCount}${lead ? `, among them ${lead.name} (${lead.phoneNumber})` : ''}`,
      calls: `${calls.totalCount}${last ? `, the last one with ${last.node.lead?.name ?? 'nobody known'}: ${last.node.disposition || (last.node.status ?? '')}` : ''}`,
    },
    value: lead ?? null,
  }
}
