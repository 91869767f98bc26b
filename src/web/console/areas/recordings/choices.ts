import { useEffect, useState } from 'react'
import { graphql } from '../../data/graphql.ts'
import { service } from '../../data/service-client.ts'
import { useMember } from '../../session/session.ts'

export type Choice = { readonly id: string; readonly name: string }
export type Choices = { readonly agents: readonly Choice[]; readonly criteria: readonly Choice[] }

const agentsDocument = graphql(`
  query AgentsOfTeam($after: String) {
    teamMembers(first: 100, after: $after) {
      nodes {
        id
        agent {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)
const criteriaDocument = graphql(`
  query CriteriaOfCalls {
    configuration(section: AI)
  }
`)
const mostPages = 10

/** What managers choose from. Agents see their own calls alone, so they have no choice of agents. */
export function useChoices(): Choices {
  const { role } = useMember()
  const [choices, setChoices] = useState<Choices>({ agents: [], criteria: [] })
  useEffect(() => {
    if (role !== 'MANAGER') return
    const leaving = new AbortController()
    const { signal } = leaving
    const add = (part: Partial<Choices>): void => setChoices((before) => ({ ...before, ...part }))
    // Apart, because without one of them the filters still have the other.
    readAgents(signal).then(
      (agents) => add({ agents }),
      () => {},
    )
    readCriteria(signal).then(
      (criteria) => add({ criteria }),
      () => {},
    )
    return () => leaving.abort()
  }, [role])
  return choices
}

async function readAgents(signal: AbortSignal): Promise<readonly Choice[]> {
  const found: Choice[] = []
  let after: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const { teamMembers }: { teamMembers: Team } = await service.execute(agentsDocument, { after }, { signal })
    found.push(...teamMembers.nodes.flatMap(({ agent }) => (agent ? [{ id: agent.id, name: agent.name }] : [])))
    after = teamMembers.pageInfo.hasNextPage ? teamMembers.pageInfo.endCursor : null
    if (after === null) break
  }
  return found.toSorted((a, b) => a.name.localeCompare(b.name))
}

type Team = {
  readonly nodes: readonly { readonly agent: Choice | null }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

async function readCriteria(signal: AbortSignal): Promise<readonly Choice[]> {
  const { configuration } = await service.execute(criteriaDocument, {}, { signal })
  const recordings = configuration['recordings']
  const rules: unknown = typeof recordings === 'object' && recordings !== null ? Reflect.get(recordings, 'complianceRules') : null
  return Array.isArray(rules) ? rules.flatMap(criterionOf) : []
}

/** A criterion that is only a text has a key that the service makes of it. */
function criterionOf(rule: unknown): readonly Choice[] {
  if (typeof rule !== 'object' || rule === null || !('key' in rule) || !('name' in rule)) return []
  return typeof rule.key === 'string' && typeof rule.name === 'string' ? [{ id: rule.key, name: rule.name }] : []
}
