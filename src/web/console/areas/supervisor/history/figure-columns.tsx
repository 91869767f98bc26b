import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import type { Column } from '../../../ui/table.tsx'
import { clockText } from '../../../ui/timer.tsx'
import type { Grouping } from './asked.ts'
import type { Group } from './groups.ts'
import { useHistoryTexts } from './texts.ts'

type Figure = Pick<Column<Group>, 'id' | 'title' | 'isMinor'> & {
  readonly of: (row: Group) => number | null
  readonly format: (value: number) => string
}

/** The columns of a grouping. */
export function useFigureColumns(by: Grouping): readonly Column<Group>[] {
  const texts = useHistoryTexts()
  const { number, percent, day, hour } = useFormats()
  return useMemo(() => {
    const count = (id: string, title: string, of: (row: Group) => number): Column<Group> => ({
      id,
      title,
      isNumber: true,
      sortBy: of,
      cell: (row) => number(of(row)),
    })
    const figure = ({ of, format, ...column }: Figure): Column<Group> => ({
      ...column,
      isNumber: true,
      sortBy: (row) => of(row) ?? -1,
      cell: (row) => orDash(of(row), format),
    })
    const name = (row: Group): string => {
      if (by === 'DAY') return day(row.date ?? '')
      if (by === 'HOUR') return hour(row.hour ?? 0)
      return by === 'AGENT' ? (row.agentName ?? texts.noAgent) : (row.campaignName ?? texts.noCampaign)
    }
    return [
      {
        id: 'group',
        title: texts[by],
        sortBy: (row) => (by === 'DAY' || by === 'HOUR' ? row.key : name(row)),
        cell: (row) => groupCell(row, by, name(row)),
      },
      count('calls', texts.allCalls, ({ calls }) => calls),
      { ...count('inbound', texts.inbound, ({ offered }) => offered), isMinor: true },
      count('answered', texts.answered, ({ answered }) => answered),
      count('missed', texts.notAnswered, ({ missed }) => missed),
      figure({ id: 'level', title: texts.level, of: ({ serviceLevel }) => serviceLevel, format: percent }),
      figure({ id: 'wait', title: texts.waitShort, isMinor: true, of: ({ averageWaitSeconds }) => averageWaitSeconds, format: clockText }),
      figure({
        id: 'handling',
        title: texts.handlingShort,
        of: ({ averageHandlingSeconds }) => averageHandlingSeconds,
        format: clockText,
      }),
      { ...count('returned', texts.returnedShort, ({ returned }) => returned), isMinor: true },
    ]
  }, [by, texts, number, percent, day, hour])
}

function orDash(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value)
}

/** An agent leads to their days. */
function groupCell({ agentId }: Group, by: Grouping, name: string): ReactNode {
  if (by !== 'AGENT' || agentId === null) return name
  return (
    <Link to="/supervisor/days" search={{ agent: agentId }} className="history-agent">
      {name}
    </Link>
  )
}
