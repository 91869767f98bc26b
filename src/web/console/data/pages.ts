import { type Dispatch, type SetStateAction, useCallback, useEffect, useMemo, useState } from 'react'
import { type AnyVariables, type DocumentInput, useClient } from 'urql'
import { type Identified, unchanged } from './unchanged.ts'

/** A page as the service's connections are. */
export type Page<Entry> = {
  readonly nodes: readonly Entry[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null }
}
/** Reads the page behind this cursor; null: the first one. */
export type LoadPage<Read extends Page<Identified>> = (after: string | null, signal: AbortSignal) => Promise<Read>
type EntryOf<Read extends Page<Identified>> = Read['nodes'][number]
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
  /** Reads all pages that are shown again, once what is being read is there: for a list that changes while it is on the screen. The same function at each render. */
  readonly refresh: () => void
}
type Place = { readonly pages: number; readonly endCursor: string | null; readonly hasMore: boolean }
type Shown<Read extends Page<Identified>> = Pick<Pages<EntryOf<Read>, Read>, 'latest' | 'entries' | 'error' | 'isLoading'> & {
  /** Whose entries these are. */
  readonly load: LoadPage<Read>
  readonly place: Place
}

/** A filtered page may be empty although there are more. */
const maxEmptyPages = 10
const start: Place = { pages: 0, endCursor: null, hasMore: false }

/** A list that comes in pages. Another `load` is another list: the entries of before stay on the screen until its first page is there. */
export function usePages<Read extends Page<Identified>>(load: LoadPage<Read>): Pages<EntryOf<Read>, Read> {
  const [shown, setShown] = useState(() => nothing(load))
  const reader = useMemo(() => new ListReader(load, setShown), [load])
  useEffect(() => {
    void reader.read(start)
    return () => reader.stop()
  }, [reader])
  const { latest, entries, error, isLoading, place } = shown
  return {
    latest,
    entries,
    error,
    isLoading,
    hasMore: place.hasMore,
    loadMore: () => (place.hasMore && !error ? void reader.read(place) : reader.refresh()),
    reload: reader.reload,
    refresh: reader.refresh,
  }
}

/** Reads one list, one request at a time, and says what is to be shown. */
class ListReader<Read extends Page<Identified>> {
  readonly #load: LoadPage<Read>
  readonly #show: Dispatch<SetStateAction<Shown<Read>>>
  #running: AbortController | null = null
  #isStale = false
  #read: { readonly place: Place; readonly entries: readonly EntryOf<Read>[] } = { place: start, entries: [] }

  constructor(load: LoadPage<Read>, show: Dispatch<SetStateAction<Shown<Read>>>) {
    this.#load = load
    this.#show = show
  }

  readonly reload = (): void => void this.read(start)

  readonly refresh = (): void => {
    if (this.#running) this.#isStale = true
    else void this.#run({ from: start, pages: this.#read.place.pages })
  }

  /** Shows that it loads, unlike `refresh`. */
  read(from: Place): Promise<void> {
    this.#show((present) => ({ ...present, isLoading: true }))
    return this.#run({ from, pages: from.pages + 1 })
  }

  stop(): void {
    this.#running?.abort()
    this.#running = null
  }

  async #run(span: Span): Promise<void> {
    const load = this.#load
    // A page that is read instead of the shown ones: those are still to be read again.
    const isCut = this.#running !== null && span.from !== start
    this.stop()
    const own = new AbortController()
    this.#running = own
    this.#isStale = isCut
    try {
      const { place, latest, nodes } = await readPages(load, span, own.signal)
      if (own.signal.aborted) return
      const entries = span.from === start ? nodes : [...this.#read.entries, ...nodes]
      this.#read = { place, entries }
      this.#show((present) => ({ load, place, latest, entries: unchanged(entries, present.entries ?? []), error: null, isLoading: false }))
    } catch (error) {
      if (own.signal.aborted) return
      this.#show((present) => ({ ...(present.load === load ? present : nothing(load)), error, isLoading: false }))
    }
    this.#running = null
    if (this.#isStale) this.refresh()
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
export function useListPages<Data, Variables extends AnyVariables & { readonly after?: string | null }, Read extends Page<Identified>>(
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

function nothing<Read extends Page<Identified>>(load: LoadPage<Read>): Shown<Read> {
  return { load, place: start, latest: null, entries: null, error: null, isLoading: true }
}

type Span = {
  readonly from: Place
  /** So many from the beginning of the list. */
  readonly pages: number
}

async function readPages<Read extends Page<Identified>>(load: LoadPage<Read>, { from, pages: wanted }: Span, signal: AbortSignal) {
  const nodes: EntryOf<Read>[] = []
  let pages = from.pages
  let after = from.endCursor
  for (;;) {
    const latest = await load(after, signal)
    const { hasNextPage, endCursor = null } = latest.pageInfo
    nodes.push(...latest.nodes)
    pages += 1
    const isEnough = pages >= wanted && (nodes.length > 0 || pages - from.pages >= maxEmptyPages)
    if (isEnough || !hasNextPage || signal.aborted) return { latest, nodes, place: { pages, endCursor, hasMore: hasNextPage } }
    after = endCursor
  }
}
