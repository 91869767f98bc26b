import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type AnyVariables, type DocumentInput, useClient } from 'urql'
import { unchanged } from './unchanged.ts'

/** A page as the service's connections are. */
export type Page<Entry> = {
  readonly nodes: readonly Entry[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null }
}
/** Reads the page behind this cursor; null: the first one. */
export type LoadPage<Read extends Page<unknown>> = (after: string | null, signal: AbortSignal) => Promise<Read>
type EntryOf<Read extends Page<unknown>> = Read['nodes'][number]
export type Pages<Entry, Read = unknown> = {
  /** The page that was read last: a connection may say more than its entries. */
  readonly latest: Read | null
  /** Those of all pages that were read. Null until the first page is there. */
  readonly entries: readonly Entry[] | null
  /** Why the last request failed. The entries stay, unless they are those of another list. */
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
type Shown<Read extends Page<unknown>> = Pick<Pages<EntryOf<Read>, Read>, 'latest' | 'entries' | 'error' | 'isLoading'> & {
  /** Whose entries these are. */
  readonly load: LoadPage<Read>
  readonly place: Place
}

/** A filtered page may be empty although there are more. */
const maxEmptyPages = 10
const start: Place = { pages: 0, endCursor: null, hasMore: false }

/** A list that comes in pages. Another `load` is another list: the entries of before stay on the screen until its first page is there. */
export function usePages<Read extends Page<unknown>>(load: LoadPage<Read>): Pages<EntryOf<Read>, Read> {
  const [shown, setShown] = useState(() => nothing(load))
  const running = useRef<AbortController | null>(null)
  const read = useCallback(
    async (from: Place, before: readonly EntryOf<Read>[]) => {
      running.current?.abort()
      const own = new AbortController()
      running.current = own
      setShown((present) => ({ ...present, isLoading: true }))
      try {
        const { place, latest } = await readPages(load, from, own.signal)
        const entries = [...before, ...latest.nodes]
        if (own.signal.aborted) return
        setShown((present) => ({
          load,
          place,
          latest,
          entries: unchanged(entries, present.entries ?? []),
          error: null,
          isLoading: false,
        }))
      } catch (error) {
        if (own.signal.aborted) return
        setShown((present) => ({ ...(present.load === load ? present : nothing(load)), error, isLoading: false }))
      }
    },
    [load],
  )
  useEffect(() => {
    void read(start, [])
    return () => running.current?.abort()
  }, [read])
  const reload = useCallback(() => void read(start, []), [read])
  const { latest, entries, error, isLoading, place } = shown
  return {
    latest,
    entries,
    error,
    isLoading,
    hasMore: place.hasMore,
    loadMore: () => (place.hasMore ? void read(place, entries ?? []) : reload()),
    reload,
    refresh: () => void (place.pages <= 1 && reload()),
  }
}

type ListRequest<Data, Variables extends AnyVariables, Read> = {
  readonly document: DocumentInput<Data, Variables>
  /** The filters. Other filters: another list. */
  readonly variables: Variables
  /** The same function at each render. */
  readonly listOf: (data: Data) => Read
}

/** The same for a list that one query reads. */
export function useListPages<Data, Variables extends AnyVariables & { readonly after?: string | null }, Read extends Page<unknown>>(
  request: ListRequest<Data, Variables, Read>,
): Pages<EntryOf<Read>, Read> {
  const client = useClient()
  const filters = JSON.stringify(request.variables)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text says whether they are others
  const { document, variables, listOf } = useMemo(() => request, [filters])
  const load = useCallback(
    async (after: string | null): Promise<Read> => {
      const answer = await client.query(document, { ...variables, after }, { requestPolicy: 'network-only' }).toPromise()
      if (!answer.data) throw answer.error ?? new Error('The answer has no data')
      return listOf(answer.data)
    },
    [client, document, variables, listOf],
  )
  return usePages(load)
}

function nothing<Read extends Page<unknown>>(load: LoadPage<Read>): Shown<Read> {
  return { load, place: start, latest: null, entries: null, error: null, isLoading: true }
}

async function readPages<Read extends Page<unknown>>(load: LoadPage<Read>, from: Place, signal: AbortSignal) {
  let pages = from.pages
  let after = from.endCursor
  for (;;) {
    const latest = await load(after, signal)
    const { hasNextPage, endCursor = null } = latest.pageInfo
    pages += 1
    if (latest.nodes.length > 0 || !hasNextPage || pages - from.pages === maxEmptyPages)
      return { latest, place: { pages, endCursor, hasMore: hasNextPage } }
    after = endCursor
  }
}
