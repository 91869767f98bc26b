import { useCallback, useEffect, useState } from 'react'

export type LoadedPage<Row> = { readonly rows: readonly Row[]; readonly next: string | null }
/** Reads the page behind this cursor; null: the first one. */
export type LoadPage<Row> = (after: string | null, signal: AbortSignal) => Promise<LoadedPage<Row>>
export type Pages<Row> = {
  readonly rows: readonly Row[]
  readonly isLoading: boolean
  readonly error: unknown
  /** Null on the last page, and while one is read. */
  readonly more: (() => void) | null
  readonly retry: () => void
}

type Asked = { readonly after: string | null; readonly time: number }
type Shown<Row> = LoadedPage<Row> & { readonly isLoading: boolean; readonly error: unknown }

/** A page of a search may be empty although there are more: so many are read by themselves. */
const mostEmpty = 10

/** A list that is read page by page. It begins again when `load` is another one. */
export function usePages<Row>(load: LoadPage<Row>): Pages<Row> {
  const [asked, setAsked] = useState<Asked>({ after: null, time: 0 })
  const [shown, setShown] = useState<Shown<Row>>({ rows: [], next: null, isLoading: true, error: null })
  const [loaded, setLoaded] = useState(() => load)
  if (loaded !== load) {
    setLoaded(() => load)
    setAsked({ after: null, time: asked.time + 1 })
  }
  useEffect(() => {
    const leaving = new AbortController()
    setShown((before) => ({ ...before, isLoading: true, error: null }))
    readPages(load, asked.after, leaving.signal).then(
      ({ rows, next }) =>
        setShown((before) => ({ rows: asked.after === null ? rows : [...before.rows, ...rows], next, isLoading: false, error: null })),
      (error: unknown) => {
        if (!leaving.signal.aborted) setShown((before) => ({ ...before, isLoading: false, error }))
      },
    )
    return () => leaving.abort()
  }, [load, asked])
  const retry = useCallback(() => setAsked(({ after, time }) => ({ after, time: time + 1 })), [])
  const { rows, next, isLoading, error } = shown
  return { rows, isLoading, error, retry, more: next === null || isLoading ? null : () => setAsked({ after: next, time: 0 }) }
}

async function readPages<Row>(load: LoadPage<Row>, after: string | null, signal: AbortSignal): Promise<LoadedPage<Row>> {
  let page = await load(after, signal)
  for (let read = 1; page.rows.length === 0 && page.next !== null && read < mostEmpty; read += 1) page = await load(page.next, signal)
  signal.throwIfAborted()
  return page
}
