import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { type LoadPage, type Page, usePages } from '../../../data/pages.ts'
import { service } from '../../../data/service-client.ts'
import { useFormats } from '../../../i18n/format.ts'
import { PagedTable } from '../../../data/paged-table.tsx'
import { spacedNumber } from '../../../ui/phone-number.tsx'
import type { Column } from '../../../ui/table.tsx'
import { type CallDetails, readCallDetails } from '../call-details.ts'
import { type Scorecard, type ScorecardRange, scorecardsDocument } from './scorecard.ts'
import { useScorecardTexts } from './texts.ts'

type Row = Scorecard & { readonly details: CallDetails | null }
type ScorecardListProps = { readonly range: ScorecardRange; readonly isCorrectedOnly: boolean; readonly icon: ReactNode }

/** Scorecards, the newest call first. */
export function ScorecardList({ range, isCorrectedOnly, icon }: ScorecardListProps) {
  const texts = useScorecardTexts()
  const load = useMemo(() => loadScorecards(range, isCorrectedOnly), [range, isCorrectedOnly])
  const pages = usePages(load)
  const columns = useColumns()
  return <PagedTable label={texts.cards} pages={pages} columns={columns} empty={{ icon, title: texts.noCards, text: texts.noCardsText }} />
}

function loadScorecards(range: ScorecardRange, correctedOnly: boolean): LoadPage<Page<Row>> {
  return async (after, signal) => {
    const { scorecards } = await service.execute(scorecardsDocument, { ...range, correctedOnly, after }, { signal })
    const details = await readCallDetails(
      scorecards.nodes.map(({ callId }) => callId),
      signal,
    )
    const nodes = scorecards.nodes.map((scorecard) => ({ ...scorecard, details: details.get(scorecard.callId) ?? null }))
    return { nodes, pageInfo: scorecards.pageInfo }
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
