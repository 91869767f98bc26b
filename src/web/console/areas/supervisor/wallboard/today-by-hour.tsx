import { useMemo } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import type { Column } from '../../../ui/table.tsx'
import { useNow } from '../../../ui/now.ts'
import { ChartCard } from '../chart/chart-card.tsx'
import { hoursAround } from '../chart/hours.ts'
import type { Overview } from './overview.ts'
import { useWallboardTexts } from './texts.ts'

type Hour = { readonly hour: number; readonly calls: number; readonly answered: number; readonly missed: number }

/** The bars change little from one second to the next. */
const redrawMs = 5_000

/** The calls of today in each hour of the clinic's day. */
export function TodayByHour({ today: { byHour } }: Pick<Overview, 'today'>) {
  const texts = useWallboardTexts()
  const { number, hour: hourText } = useFormats()
  const now = useNow(redrawMs)
  const isEmpty = byHour.length === 0
  // oxlint-disable-next-line react/exhaustive-deps -- of each update while calls come in, the canvas would be the greatest part
  const hours = useMemo(() => hoursAround(byHour).map((hour) => hourOf(byHour, hour)), [now, isEmpty])
  const columns = useMemo<readonly Column<Hour>[]>(
    () => [
      { id: 'hour', title: texts.hour, cell: ({ hour }) => hourText(hour) },
      { id: 'calls', title: texts.calls, isNumber: true, cell: ({ calls }) => number(calls) },
      { id: 'answered', title: texts.answered, isNumber: true, cell: ({ answered }) => number(answered) },
      { id: 'missed', title: texts.missed, isNumber: true, cell: ({ missed }) => number(missed) },
    ],
    [texts, number, hourText],
  )
  const series = useMemo(
    () => [
      { label: texts.answered, ink: '--chart-1', values: hours.map(({ answered }) => answered) },
      { label: texts.missed, ink: '--chart-2', values: hours.map(({ missed }) => missed) },
    ],
    [texts, hours],
  )
  const categories = useMemo(() => hours.map(({ hour }) => hourText(hour)), [hours, hourText])
  // The same element as long as nothing in it has changed: an update of the board does not render it again.
  return useMemo(
    () => (
      <ChartCard
        title={texts.byHour}
        categories={categories}
        series={series}
        format={number}
        columns={columns}
        rows={hours}
        rowKey={({ hour }) => String(hour)}
        height={168}
        empty={isEmpty && <p className="sup-none">{texts.noCallsToday}</p>}
      />
    ),
    [texts, number, columns, series, categories, hours, isEmpty],
  )
}

/** Calls in progress are in neither part. */
function hourOf(byHour: Overview['today']['byHour'], hour: number): Hour {
  const { calls = 0, answered = 0, missed = 0 } = byHour.find((row) => row.hour === hour)?.counts ?? {}
  return { hour, calls, answered, missed }
}
