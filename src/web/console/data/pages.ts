import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type AnyVariables, type DocumentInput, useClient } from 'urql'

type Connection<Entry> = {
  readonly nodes: readonly Entry[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null }
}
export type Pages<Entry, Data = unknown> = {
  /** What the last page came with. */
  readonly latest: Data | null
  /** Those of all pages that were read. Null until the first page is there. */
  readonly entries: readonly Entry[] | null
  /** Why the last request failed. The entries stay. */
  readonly error: unknown
  readonly hasMore: boolean
  readonly isLoading: boolean
  readonly loadMore: () => void
  /** Begins again with the first page. */
  readonly reload: () => void
  /** Reads the only page again, if there is one: for a list that changes while it is on the screen. */
  readonly refresh: () => void
}
type Place = { readonly pages: number; readonly endCursor: string | null; readonly hasMore: boolean }
type Request<Data, Variables extends AnyVariables, Entry> = {
  readonly document: DocumentInput<Data, Variables>
  /** The filters. Other filters: another list. */
  readonly variables: Variables
  /** The same function at each render. */
  readonly listOf: (data: Data) => Connection<Entry>
}

/** A filtered page may be empty although there are more. */
const maxEmptyPages = 10
const start: Place = { pages: 0, endCursor: null, hasMore: false }

/** A list that comes in pages. The entries of before stay on the screen until those of other filters are there. */
export function usePages<Data, Variables extends AnyVariables & { readonly after?: string | null }, Entry>(
  request: Request<Data, Variables, Entry>,
): Pages<Entry, Data> {
  const client = useClient()
  const filters = JSON.stringify(request.variables)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text says whether they are others
  const { document, variables, listOf } = useMemo(() => request, [filters])
  const [entries, setEntries] = useState<readonly Entry[] | null>(null)
  const [latest, setLatest] = useState<Data | null>(null)
  const [place, setPlace] = useState(start)
  const [error, setError] = useState<unknown>(null)
  const [isLoading, setLoading] = useState(false)
  const run = useRef(0)

  const read = useCallback(
    async (from: Place, before: readonly Entry[]) => {
      run.current += 1
      const own = run.current
      setLoading(true)
      let next = from
      let found: readonly Entry[] = []
      let data: Data | null = null
      let problem: unknown = null
      do {
        const answer = await client.query(document, { ...variables, after: next.endCursor }, { requestPolicy: 'network-only' }).toPromise()
        problem = answer.error ?? null
        if (!answer.data) break
        data = answer.data
        const { nodes, pageInfo } = listOf(data)
        found = nodes
        next = { pages: next.pages + 1, endCursor: pageInfo.endCursor ?? null, hasMore: pageInfo.hasNextPage }
      } while (found.length === 0 && next.hasMore && next.pages - from.pages < maxEmptyPages)
      if (own !== run.current) return
      setLoading(false)
      setError(problem)
      if (problem !== null) return
      setPlace(next)
      setLatest(data)
      setEntries([...before, ...found])
    },
    [client, document, variables, listOf],
  )
  useEffect(() => {
    void read(start, [])
    return () => void (run.current += 1)
  }, [read])
  const reload = useCallback(() => void read(start, []), [read])
  return {
    latest,
    entries,
    error,
    isLoading,
    hasMore: place.hasMore,
    loadMore: () => void read(place, entries ?? []),
    reload,
    refresh: () => void (place.pages <= 1 && !isLoading && reload()),
  }
}
