import type { ReactNode } from 'react'
import type { Pages } from '../data/pages.ts'
import { LoadMore } from './load-more.tsx'
import { ErrorState, Skeleton } from './states.tsx'
import { type Column, Table } from './table.tsx'

type PagedTableProps<Row> = {
  readonly label: string
  readonly pages: Pages<Row>
  readonly columns: readonly Column<Row>[]
  /** Those that are shown, if not all that were read. */
  readonly rows?: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly empty: ReactNode
}

/** The table of a list that comes in pages, with what it shows while it is read and if that fails. */
export function PagedTable<Row>({ pages, rows, ...props }: PagedTableProps<Row>) {
  const { entries, error, isLoading, reload } = pages
  if (entries === null) return error && !isLoading ? <ErrorState error={error} onRetry={reload} /> : <Skeleton rows={8} />
  return (
    <>
      <Table {...props} rows={rows ?? entries} />
      <LoadMore pages={pages} />
    </>
  )
}
