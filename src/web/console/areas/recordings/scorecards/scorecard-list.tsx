import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { service } from '../../../data/service-client.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/page.tsx'
import { spacedNumber } from '../../../ui/phone-number.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { type CallDetails, readCallDetails } from '../call-details.ts'
import { type LoadPage, usePages } from '../pages.ts'
import { type Scorecard, type ScorecardRange, scorecardsDocument } from './scorecard.ts'
import { useScorecardTexts } from './texts.ts'

type Row = Scorecard & { readonly details: CallDetails | null }
type ScorecardListProps = { readonly range: ScorecardRange; readonly isCorrectedOnly: boolean; readonly icon: ReactNode }

/** Scorecards, the newest call first. */
export function ScorecardList({ range, isCorrectedOnly, icon }: ScorecardListProps) {
  const texts = useScorecardTexts()
  const load = useMemo(() => loadScorecards(range, isCorrectedOnly), [range, isCorrectedOnly])
  const { rows, isLoading, error, more, retry } = usePages(load)
  const columns = useColumns()
  if (rows.length === 0 && error === null) {
    return (
      <Card isFlush>
        {isLoading ? (
          <Skeleton rows={6} />
        ) : (
          <EmptyState icon={icon} title={texts.noCards}>
            <p>{texts.noCardsText}</p>
          </EmptyState>
        )}
      </Card>
    )
  }
  return (
    <Card isFlush>
      {rows.length > 0 && <Table label={texts.cards} columns={columns} rows={rows} rowKey={({ id }) => id} />}
      {error !== null && <ErrorState error={error} onRetry={retry} />}
      {(more || (isLoading && rows.length > 0)) && (
        <div className="rec-more">
          <Button isPending={isLoading} {...(more && { onPress: more })}>
            {texts.more}
          </Button>
        </div>
      )}
    </Card>
  )
}

function loadScorecards(range: ScorecardRange, correctedOnly: boolean): LoadPage<Row> {
  return async (after, signal) => {
    const { scorecards } = await service.execute(scorecardsDocument, { ...range, correctedOnly, after }, { signal })
    const details = await readCallDetails(
      scorecards.nodes.map(({ callId }) => callId),
      signal,
    )
    const rows = scorecards.nodes.map((scorecard) => ({ ...scorecard, details: details.get(scorecard.callId) ?? null }))
    return { rows, next: scorecards.pageInfo.hasNextPage ? scorecards.pageInfo.endCursor : null }
  }
}

function useColumns(): readonly Column<Row>[] {
  const texts = useScorecardTexts()
  const { time, number } = useFormats()
  return useMemo(() => {
    const brokenOf = ({ criteria }: Row): number => criteria.filter(({ verdict }) => verdict === 'BROKEN').length
    const correctionsOf = ({ criteria }: Row): number => criteria.filter(({ correction }) => correction !== null).length
    const score = (value: number | null): string => (value === null ? '–' : number(value))
    return [
      { id: 'call', title: texts.call, cell: (row) => <CallLink row={row} /> },
      { id: 'agent', title: texts.agent, cell: ({ details }) => details?.agentName ?? <span className="rec-quiet">{texts.nobody}</span> },
      { id: 'began', title: texts.began, cell: ({ at }) => <time dateTime={at}>{time(at)}</time>, sortBy: ({ at }) => at, isNumber: true },
      { id: 'score', title: texts.scoreColumn, cell: (row) => <b>{score(row.score)}</b>, sortBy: (row) => row.score ?? -1, isNumber: true },
      { id: 'model', title: texts.modelColumn, cell: ({ modelScore }) => score(modelScore), isNumber: true, isMinor: true },
      { id: 'broken', title: texts.brokenColumn, cell: (row) => number(brokenOf(row)), sortBy: brokenOf, isNumber: true },
      {
        id: 'corrections',
        title: texts.correctionsColumn,
        cell: (row) => number(correctionsOf(row)),
        sortBy: correctionsOf,
        isNumber: true,
      },
    ]
  }, [texts, time, number])
}

function CallLink({ row: { callId, details } }: { readonly row: Row }) {
  const texts = useScorecardTexts()
  const number = details?.phoneNumber ? spacedNumber(details.phoneNumber) : null
  return (
    <Link to="/recordings/$callId" params={{ callId }} className="rec-plain-link">
      {details?.customer ?? number ?? texts.call}
    </Link>
  )
}
