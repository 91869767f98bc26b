import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, type ReactNode, useMemo, useRef, useState } from 'react'
import { useUiTexts } from './texts.ts'
import './table.css'

export type Column<Row> = {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** What the column is sorted by. Left out: it cannot be sorted. */
  readonly sortBy?: (row: Row) => number | string
  /** Numbers and times line up at the end. */
  readonly isNumber?: boolean
  /** Left out on narrow screens, where the row is a card. */
  readonly isMinor?: boolean
  /** The title is read out, not shown: for buttons. */
  readonly isTitleHidden?: boolean
  /** On narrow screens it begins the card, without its title. */
  readonly isHeading?: boolean
  /** On narrow screens it is in the corner of the card. */
  readonly isCorner?: boolean
}
type Sorting = { readonly id: string; readonly isDown: boolean }

export type TableProps<Row> = {
  /** Read out before the table. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Shown instead of the rows if there are none. */
  readonly empty?: ReactNode
  readonly sorting?: Sorting
}

/** More rows than these are drawn only while they are in view. */
const fewRows = 80
const rowHeight = 45
/** The same function each time: for another one all rows are measured again. */
const estimateSize = (): number => rowHeight

/** Rows of one kind. The person sorts by pressing a column's title. On a phone each row is a card. */
export function Table<Row>({ label, columns, rows, rowKey, empty, sorting: first }: TableProps<Row>) {
  const [sorting, setSorting] = useState<Sorting | null>(first ?? null)
  const sorted = useMemo(() => sortedRows(rows, columns, sorting), [rows, columns, sorting])
  const frame = useRef<HTMLDivElement>(null)
  const isLong = sorted.length > fewRows
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized
  const virtual = useVirtualizer({
    count: isLong ? sorted.length : 0,
    getScrollElement: () => frame.current,
    estimateSize,
    overscan: 3,
  })
  const visible = virtual.getVirtualItems()
  const shown = isLong ? visible.flatMap(({ index }) => sorted.slice(index, index + 1)) : sorted
  const [before, after] = [visible[0]?.start ?? 0, virtual.getTotalSize() - (visible.at(-1)?.end ?? 0)]
  if (rows.length === 0 && empty !== undefined) return empty
  return (
    <div
      ref={frame}
      className={isLong ? 'ui-table-frame ui-table-long' : 'ui-table-frame'}
      {...(isLong && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <table className="ui-table" aria-rowcount={sorted.length + 1}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnTitle key={column.id} column={column} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Space height={before} columns={columns.length} />}
          {shown.map((row) => (
            <DrawnRow key={rowKey(row)} row={row} columns={columns} draw={() => <Cells row={row} columns={columns} />} />
          ))}
          {after > 0 && <Space height={after} columns={columns.length} />}
        </tbody>
      </table>
    </div>
  )
}

type DrawnRowProps = { readonly row: unknown; readonly columns: unknown; readonly draw: () => ReactNode }

/** Drawn again only for another row or other columns: `draw` depends on nothing else. */
const DrawnRow = memo(
  ({ draw }: DrawnRowProps) => draw(),
  (before, after) => before.row === after.row && before.columns === after.columns,
)

function Cells<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td
          key={column.id}
          className={classOf(column)}
          data-title={column.isTitleHidden === true || column.isHeading === true ? undefined : column.title}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

type TitleProps<Row> = { readonly column: Column<Row>; readonly sorting: Sorting | null; readonly onSort: (sorting: Sorting) => void }

function ColumnTitle<Row>({ column, sorting, onSort }: TitleProps<Row>) {
  const texts = useUiTexts()
  const own = sorting?.id === column.id ? sorting : null
  const order = own && (own.isDown ? 'descending' : 'ascending')
  const title = column.isTitleHidden === true ? <span className="visually-hidden">{column.title}</span> : column.title
  return (
    <th scope="col" className={classOf(column)} {...(order && { 'aria-sort': order })}>
      {column.sortBy ? (
        <button type="button" onClick={() => onSort({ id: column.id, isDown: own?.isDown === false })}>
          {title}
          {own && (own.isDown ? <ArrowDown aria-label={texts.sortedDown} /> : <ArrowUp aria-label={texts.sortedUp} />)}
        </button>
      ) : (
        title
      )}
    </th>
  )
}

function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr aria-hidden="true">
      <td className="ui-table-space" colSpan={columns} style={{ height }} />
    </tr>
  )
}

function classOf({ isNumber, isMinor, isHeading, isCorner }: Omit<Column<never>, 'cell' | 'sortBy'>): string {
  const classes = {
    'ui-cell-number': isNumber,
    'ui-cell-minor': isMinor,
    'ui-cell-heading': isHeading,
    'ui-cell-corner': isCorner,
  }
  return Object.entries(classes)
    .filter(([, isOn]) => isOn === true)
    .map(([name]) => name)
    .join(' ')
}

function sortedRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting | null): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === sorting?.id)?.sortBy
  if (!sorting || !sortBy) return rows
  const direction = sorting.isDown ? -1 : 1
  return rows.toSorted((a, b) => direction * compare(sortBy(a), sortBy(b)))
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), undefined, { numeric: true })
}
