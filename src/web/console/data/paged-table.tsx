import type { ReactNode } from 'react'
import { Card } from '../ui/page.tsx'
import { EmptyState, Skeleton } from '../ui/states.tsx'
import { type Column, Table } from '../ui/table.tsx'
import type { Pages } from './pages.ts'
import { LoadMore } from './load-more.tsx'
import { ErrorState } from './error-state.tsx'

type PagedTableProps<Row> = {
  readonly label: string
  readonly pages: Pages<Row>
  readonly columns: readonly Column<Row>[]
  /** Those that are shown, if not all that were read. */
  readonly rows?: readonly Row[]
  /** Shown if there are none. */
  readonly empty: { readonly icon: ReactNode; readonly title: string; readonly text: ReactNode }
}

/** A list that comes in pages, as a card with a table, with what it shows while it is read, if that fails, and if it is empty. */
export function PagedTable<Row extends { readonly id: string }>({ pages, rows, empty, ...props }: PagedTableProps<Row>) {
  const { entries, error, isLoading, reload } = pages
  return (
    <Card isFlush>
      {entries ? (
        <>
          <Table
            {...props}
            rows={rows ?? entries}
            rowKey={({ id }) => id}
            empty={
              <EmptyState icon={empty.icon} title={empty.title}>
                <p>{empty.text}</p>
              </EmptyState>
            }
          />
          <LoadMore pages={pages} />
        </>
      ) : error && !isLoading ? (
        <ErrorState error={error} onRetry={reload} />
      ) : (
        <Skeleton rows={8} />
      )}
    </Card>
  )
}
