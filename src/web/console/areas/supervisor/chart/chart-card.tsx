import { lazy, type ReactNode, Suspense, useState } from 'react'
import { waitForReload } from '../../../phone/missing-part.ts'
import { Card } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Table, type TableProps } from '../../../ui/table.tsx'
import type { ChartProps } from './chart.tsx'
import { useChartTexts } from './texts.ts'
import './chart.css'

/** The drawing library is loaded with the first chart. Without it there are the numbers. */
const Chart = lazy(() => import('./chart.tsx').then(({ Chart }) => ({ default: Chart }), waitForReload))

export type ChartCardProps<Row> = Omit<ChartProps, 'label'> &
  Pick<TableProps<Row>, 'columns' | 'rows' | 'rowKey'> & {
    readonly title: string
    /** Shown instead of chart and table. */
    readonly empty?: ReactNode
  }

/** A chart, and the same numbers as a table: for who cannot see it, and for exact values. */
export function ChartCard<Row>({ title, empty, columns, rows, rowKey, ...chart }: ChartCardProps<Row>) {
  const texts = useChartTexts()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const options = [
    { value: 'chart', label: texts.chart },
    { value: 'table', label: texts.table },
  ] as const
  const hasRows = empty === undefined || empty === false
  return (
    <section className="sup-part" aria-label={title}>
      <Card isFlush>
        <header className="sup-card-head">
          <h2>{title}</h2>
          {hasRows && <Segments label={texts.show(title)} options={options} value={view} onChange={setView} />}
        </header>
        {!hasRows ? (
          empty
        ) : view === 'table' ? (
          <div className="chart-table">
            <Table label={title} columns={columns} rows={rows} rowKey={rowKey} />
          </div>
        ) : (
          <div className="chart-body">
            <ul className="chart-legend">
              {chart.series.map(({ label, ink }) => (
                <li key={label}>
                  <span className="chart-mark" style={{ background: `var(${ink})` }} aria-hidden="true" />
                  {label}
                </li>
              ))}
            </ul>
            <Suspense fallback={<div className="chart" style={{ height: chart.height }} />}>
              <Chart label={title} {...chart} />
            </Suspense>
          </div>
        )}
      </Card>
    </section>
  )
}
