import { useEffect, useMemo } from 'react'
import { useQuery } from 'urql'
import { graphql, type ResultOf } from '../../../data/graphql.ts'

const worklistDocument = graphql(`
  query WallboardWorklist {
    worklist(first: 200, includeLater: true) {
      nodes {
        id
        claim {
          id
          agentId
          agentName
          until
        }
        assignee {
          id
          agentId
          name
        }
      }
    }
  }
`)
export type WorklistPerson = ResultOf<typeof worklistDocument>['worklist']['nodes'][number]

/** No stream: a browser has six connections to a service over HTTP/1.1, and each stream takes one. */
const refreshMs = 10_000

/** Who calls which missed caller back, by the entry's id: after each change of `count`, and every ten seconds. */
export function useWorklist(count: number): ReadonlyMap<string, WorklistPerson> {
  const [{ data }, refresh] = useQuery({ query: worklistDocument })
  useEffect(() => {
    const update = (): void => refresh({ requestPolicy: 'network-only' })
    update()
    const timer = setInterval(() => document.visibilityState === 'visible' && count > 0 && update(), refreshMs)
    return () => clearInterval(timer)
  }, [refresh, count])
  return useMemo(() => new Map(data?.worklist.nodes.map((person) => [person.id, person])), [data])
}
