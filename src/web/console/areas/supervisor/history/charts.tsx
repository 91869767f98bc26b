import { useMemo } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import type { Column } from '../../../ui/table.tsx'
import { clockText } from '../../../ui/timer.tsx'
import { ChartCard, type ChartCardProps } from '../chart/chart-card.tsx'
import type { Grouping } from './asked.ts'
import type { Group } from './groups.ts'
import { useHistoryTexts } from './texts.ts'

type ChartsProps = { readonly by: Extract<Grouping, 'DAY' | 'HOUR'>; readonly rows: readonly Group[] }
type Line = { readonly label: string; readonly ink: string; readonly of: (row: Group) => number | null }

/** How many calls, how soon they were answered, and how long they took. */
export function Charts({ by, rows }: ChartsProps) {
  const texts = useHistoryTexts()
  const { number, percent } = useFormats()
  const volume = useChart({ by, rows }, number, [
    { label: texts.answered, ink: '--chart-1', of: ({ answered }) => answered },
    { label: texts.notAnswered, ink: '--chart-2', of: ({ missed }) => missed },
  ])
  const level = useChart({ by, rows }, percent, [
    { label: texts.level, ink: '--chart-1', of: ({ serviceLevel }) => serviceLevel },
    { label: texts.answerRate, ink: '--chart-3', of: ({ answerRate }) => answerRate },
  ])
  const times = useChart({ by, rows }, clockText, [
    { label: texts.handlingShort, ink: '--chart-1', of: ({ averageHandlingSeconds }) => averageHandlingSeconds },
    { label: texts.waitShort, ink: '--chart-3', of: ({ averageWaitSeconds }) => averageWaitSeconds },
  ])
  return (
    <div className="history-charts">
      <ChartCard title={texts.volume} height={220} {...volume} />
      <ChartCard title={texts.serviceLevel} height={180} kind="lines" max={1} {...level} />
      <ChartCard title={texts.times} height={180} kind="lines" {...times} />
    </div>
  )
}

type ChartParts = Pick<ChartCardProps<Group>, 'categories' | 'series' | 'format' | 'columns' | 'rows' | 'rowKey'>

/** The lines of a chart, and its table. */
function useChart({ by, rows }: ChartsProps, format: (value: number) => string, lines: readonly Line[]): ChartParts {
  const texts = useHistoryTexts()
  const formats = useFormats()
  return useMemo(() => {
    const nameOf = ({ date, hour }: Group): string => (by === 'DAY' ? formats.day(date ?? '') : formats.hour(hour ?? 0))
    const columns: readonly Column<Group>[] = [
      { id: 'group', title: texts[by], cell: nameOf },
      ...lines.map(({ label, of }) => ({
        id: label,
        title: label,
        isNumber: true,
        cell: (row: Group) => {
          const value = of(row)
          return value === null ? '–' : format(value)
        },
      })),
    ]
    const series = lines.map(({ label, ink, of }) => ({ label, ink, values: rows.map(of) }))
    return { categories: rows.map(nameOf), series, format, columns, rows, rowKey: ({ key }) => key }
    // oxlint-disable-next-line react/exhaustive-deps -- the lines are the same for the same texts
  }, [by, rows, format, texts, formats])
}
