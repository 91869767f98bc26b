import { CalendarX2 } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useQuery } from 'urql'
import { usePolling } from '../../../data/polling.ts'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { useNow } from '../../../ui/now.ts'
import { Card, Section } from '../../../ui/page.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { clockText } from '../../../ui/timer.tsx'
import { Figure, FigureRow } from '../figure.tsx'
import { DayBand } from './day-band.tsx'
import { useDayCallColumns, useStateColumns } from './day-columns.tsx'
import { secondsByState, shownSpan } from './spans.ts'
import { useDayTexts } from './texts.ts'
import { type Timeline, timelineDocument } from './timeline-query.ts'

/** `isToday`: more comes. */
type AgentDayProps = { readonly agentId: string; readonly date: string; readonly isToday: boolean }

const refreshMs = 30_000

/** A day as a picture, as sums and as lists. */
export function AgentDay({ agentId, date, isToday }: AgentDayProps) {
  const texts = useDayTexts()
  const variables = useMemo(() => ({ agentId, date }), [agentId, date])
  const [{ data, error }, refresh] = useQuery({ query: timelineDocument, variables })
  const now = useNow(refreshMs)
  usePolling(() => void (isToday && refresh({ requestPolicy: 'network-only' })), refreshMs)
  // The day is over: what went on until then has an end now.
  useEffect(() => {
    if (!isToday) refresh({ requestPolicy: 'network-only' })
  }, [isToday, refresh])
  const timeline = data?.agentTimeline
  const shown = timeline ? shownSpan(timeline, now) : null
  if (timeline && shown) return <Day timeline={timeline} shown={shown} now={now} />
  return (
    <Card>
      {error ? (
        <ErrorState error={error} onRetry={() => refresh({ requestPolicy: 'network-only' })} />
      ) : timeline ? (
        <EmptyState icon={<CalendarX2 />} title={texts.empty}>
          <p>{texts.emptyText}</p>
        </EmptyState>
      ) : (
        <Skeleton rows={6} />
      )}
    </Card>
  )
}

type DayProps = {
  readonly timeline: Timeline
  readonly shown: NonNullable<ReturnType<typeof shownSpan>>
  readonly now: number
}

function Day({ timeline, shown, now }: DayProps) {
  const texts = useDayTexts()
  const states = useStateColumns(timeline.timeZone)
  const calls = useDayCallColumns(timeline.timeZone)
  return (
    <>
      <Sums timeline={timeline} now={now} />
      <DayBand timeline={timeline} shown={shown} now={now} />
      <div className="day-lists">
        <Section title={texts.calls}>
          <Card isFlush>
            <Table
              label={texts.calls}
              columns={calls}
              rows={timeline.calls}
              rowKey={({ ucid }) => ucid}
              empty={<p className="sup-none">{texts.noCalls}</p>}
            />
          </Card>
        </Section>
        <Section title={texts.states}>
          <Card isFlush>
            <Table
              label={texts.states}
              columns={states}
              rows={timeline.states}
              rowKey={({ from, state }) => `${from} ${state}`}
              empty={<p className="sup-none">{texts.empty}</p>}
            />
          </Card>
        </Section>
      </div>
    </>
  )
}

function Sums({ timeline, now }: Pick<DayProps, 'timeline' | 'now'>) {
  const texts = useDayTexts()
  const { percent } = useFormats()
  const sums = secondsByState(timeline, now)
  const [ready, onCall, wrapUp, notReady] = (['READY', 'ON_CALL', 'WRAP_UP', 'NOT_READY'] as const).map((state) => sums.get(state) ?? 0)
  const [busy, open] = [(onCall ?? 0) + (wrapUp ?? 0), ready ?? 0]
  const text = (seconds = 0): string => clockText(Math.round(seconds))
  return (
    <FigureRow label={texts.figures}>
      <Figure title={texts.signedIn} value={text(busy + open + (notReady ?? 0))} />
      <Figure title={texts.READY} value={text(ready)} />
      <Figure title={texts.ON_CALL} value={text(onCall)} />
      <Figure title={texts.WRAP_UP} value={text(wrapUp)} />
      <Figure title={texts.NOT_READY} value={text(notReady)} />
      <Figure title={texts.occupancy} value={busy + open === 0 ? '–' : percent(busy / (busy + open))}>
        {texts.occupancyNote}
      </Figure>
    </FigureRow>
  )
}
