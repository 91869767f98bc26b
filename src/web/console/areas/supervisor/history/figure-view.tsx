import { ChartColumn } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useQuery } from 'urql'
import { usePolling } from '../../../data/polling.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card, Section } from '../../../ui/page.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { rangeBefore } from '../range.ts'
import type { Asked } from './asked.ts'
import { Charts } from './charts.tsx'
import { useFigureColumns } from './figure-columns.tsx'
import { filledGroups } from './groups.ts'
import { figuresDocument, type HistoryFigures } from './history-query.ts'
import { Outcomes } from './outcomes.tsx'
import { useHistoryTexts } from './texts.ts'
import { TotalFigures } from './total-figures.tsx'

/** The service still reads calls of the range. */
const incompleteMs = 5_000

/** The totals of a range, and its figures by group as charts and as a table. */
export function FigureView({ asked }: { readonly asked: Asked }) {
  const { from, to, by, agent, campaign } = asked
  const variables = useMemo(() => {
    const before = rangeBefore({ from, to })
    return { from, to, beforeFrom: before.from, beforeTo: before.to, groupBy: by, agentId: agent, campaignName: campaign }
  }, [from, to, by, agent, campaign])
  const [{ data, error, fetching }, refresh] = useQuery({ query: figuresDocument, variables })
  const isIncomplete = data !== undefined && data.groups.incompleteDays.length > 0
  usePolling(() => void (isIncomplete && !fetching && refresh({ requestPolicy: 'network-only' })), incompleteMs)
  // Until the new figures are there, those of before stay, as what they are.
  const answered = useRef(asked)
  if (!fetching) answered.current = asked
  if (error && !data) {
    return (
      <Card>
        <ErrorState error={error} onRetry={() => refresh({ requestPolicy: 'network-only' })} />
      </Card>
    )
  }
  if (!data) {
    return (
      <Card>
        <Skeleton rows={8} />
      </Card>
    )
  }
  return (
    <div className="history-view" aria-busy={fetching}>
      <Loaded asked={answered.current} figures={data} />
    </div>
  )
}

function Loaded({ asked, figures: { total, before, groups } }: { readonly asked: Asked; readonly figures: HistoryFigures }) {
  const texts = useHistoryTexts()
  const rows = useMemo(() => filledGroups(groups.rows, asked), [groups.rows, asked])
  const columns = useFigureColumns(asked.by)
  const [sum] = total.rows
  const isIncomplete = groups.incompleteDays.length > 0
  return (
    <>
      {isIncomplete && <Notice tone="info" title={texts.incomplete(groups.incompleteDays.length)} />}
      {sum ? (
        <>
          <TotalFigures total={sum} before={before.rows[0]} seconds={groups.serviceLevelSeconds} />
          {(asked.by === 'DAY' || asked.by === 'HOUR') && <Charts by={asked.by} rows={rows} />}
          <div className="history-columns">
            <Section title={texts.byGroup}>
              <Card isFlush>
                <Table label={texts.byGroup} columns={columns} rows={rows} rowKey={(row) => row.key} />
              </Card>
            </Section>
            <Outcomes outcomes={sum.dispositions} calls={sum.answered} withoutOutcome={sum.withoutOutcome} />
          </div>
        </>
      ) : (
        <Card>
          {isIncomplete ? (
            <Skeleton rows={8} />
          ) : (
            <EmptyState icon={<ChartColumn />} title={texts.empty}>
              <p>{texts.emptyText}</p>
            </EmptyState>
          )}
        </Card>
      )}
    </>
  )
}
