import { Link } from '@tanstack/react-router'
import { AudioLines, SearchX } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { type LoadPage, type Page as LoadedPage, usePages } from '../../../data/pages.ts'
import type { Identified } from '../../../data/unchanged.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { useMember } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadMore } from '../../../data/load-more.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { Filters, hasFilters, noFilters } from './filters.tsx'
import { type ListSearch, useListSearch } from './list-search.ts'
import { MatchRow } from './match-row.tsx'
import { loadMatches } from './matches.ts'
import { loadRecordedCalls } from './recorded-calls.ts'
import { RecordedRow } from './recorded-row.tsx'
import { useListTexts } from './texts.ts'
import '../voices.css'
import './list.css'

/** Analysed calls, found by what was said in them; and all calls with a recording. */
export function RecordingsScreen() {
  const texts = useListTexts()
  const { search, change } = useListSearch()
  const views = [
    { value: 'analysed', label: texts.analysed },
    { value: 'all', label: texts.all },
  ] as const
  const choose = (view: (typeof views)[number]['value']): void =>
    change({ ...noFilters, agent: search.agent, view: view === 'all' ? view : undefined })
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={<Segments label={texts.view} options={views} value={search.view ?? 'analysed'} onChange={choose} />}
      isWide
    >
      <Filters search={search} onChange={change} />
      {search.view === 'all' ? <AllRecordings search={search} /> : <Matches search={search} onAll={() => choose('all')} />}
    </Page>
  )
}

function Matches({ search, onAll }: { readonly search: ListSearch; readonly onAll: () => void }) {
  const texts = useListTexts()
  const { role } = useMember()
  const load = useMemo(() => loadMatches(search), [search])
  const empty = hasFilters(search) ? (
    <EmptyState icon={<SearchX />} title={texts.nothing}>
      <p>{texts.nothingText}</p>
    </EmptyState>
  ) : (
    <EmptyState icon={<AudioLines />} title={texts.none}>
      <>
        <p>{texts.noneText}</p>
        <div className="ui-actions">
          <Button onPress={onAll}>{texts.showAll}</Button>
          {role === 'MANAGER' && (
            <Link to="/administration/configuration/$section" params={{ section: 'ai' }} className="ui-button ui-button-quiet">
              {texts.toAnalysis}
            </Link>
          )}
        </div>
      </>
    </EmptyState>
  )
  return <Rows load={load} row={(match) => <MatchRow key={match.id} match={match} q={search.q} />} empty={empty} />
}

function AllRecordings({ search }: { readonly search: ListSearch }) {
  const texts = useListTexts()
  const load = useMemo(() => loadRecordedCalls(search), [search])
  const empty = (
    <EmptyState icon={<AudioLines />} title={texts.noRecordings}>
      <p>{texts.noRecordingsText}</p>
    </EmptyState>
  )
  return <Rows load={load} row={(call) => <RecordedRow key={call.id} call={call} />} empty={empty} />
}

type RowsProps<Row extends Identified> = {
  readonly load: LoadPage<LoadedPage<Row>>
  readonly row: (row: Row) => ReactNode
  readonly empty: ReactNode
}

function Rows<Row extends Identified>({ load, row, empty }: RowsProps<Row>) {
  const texts = useListTexts()
  const pages = usePages(load)
  const { entries, isLoading, error, reload } = pages
  if (entries === null)
    return <Card isFlush>{error && !isLoading ? <ErrorState error={error} onRetry={reload} /> : <Skeleton rows={8} />}</Card>
  return (
    <Card isFlush>
      {entries.length === 0 && !error ? (
        empty
      ) : (
        <ul className="rec-rows" aria-label={texts.results} aria-busy={isLoading}>
          {entries.map(row)}
        </ul>
      )}
      <LoadMore pages={pages} />
    </Card>
  )
}
