import { Phone } from 'lucide-react'
import { useState } from 'react'
import { usePages } from '../../../data/pages.ts'
import { useCallSettings } from '../../../phone/agent-state.ts'
import { Filters } from '../../../ui/filters.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Select } from '../../../ui/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { recentCallsDocument, type RecentCalls } from './calls.ts'
import { useRecentColumns } from './columns.tsx'
import { useRecentTexts } from './texts.ts'

const periods = { TODAY: 0, WEEK: 6, MONTH: 29 } as const
type Choice = {
  readonly period: keyof typeof periods
  readonly direction: 'INBOUND' | 'OUTBOUND' | 'ALL'
  /** Empty: all. */
  readonly disposition: string
}
const everything: Choice = { period: 'MONTH', direction: 'ALL', disposition: '' }

/** The agent's own calls of the last days. */
export function RecentScreen() {
  const texts = useRecentTexts()
  const [choice, setChoice] = useState(everything)
  const pages = usePages({ document: recentCallsDocument, variables: variablesOf(choice), listOf })
  const columns = useRecentColumns()
  const { entries, error, reload } = pages
  const isFiltered = choice !== everything
  return (
    <Page isWide title={texts.title} lead={texts.lead}>
      <CallFilters choice={choice} onChange={(part) => setChoice({ ...choice, ...part })} />
      <Card isFlush>
        {entries === null ? (
          error ? (
            <ErrorState error={error} onRetry={reload} />
          ) : (
            <Skeleton rows={8} />
          )
        ) : (
          <>
            <Table
              label={texts.title}
              columns={columns}
              rows={entries}
              rowKey={({ id }) => id}
              empty={
                <EmptyState icon={<Phone />} title={isFiltered ? texts.noneFits : texts.none}>
                  {isFiltered ? texts.noneFitsText : texts.noneText}
                </EmptyState>
              }
            />
            <LoadMore pages={pages} />
          </>
        )}
      </Card>
    </Page>
  )
}

function listOf({ historyCalls }: RecentCalls): RecentCalls['historyCalls'] {
  return historyCalls
}

/** The clinic may have a day more or less than this device. */
function variablesOf({ period, direction, disposition }: Choice) {
  return {
    from: dayText(-periods[period]),
    to: dayText(1),
    ...(direction !== 'ALL' && { direction }),
    ...(disposition !== '' && { disposition }),
  }
}

function dayText(daysFromNow: number): string {
  const date = new Date()
  date.setDate(date.getDate() + daysFromNow)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

function CallFilters({ choice, onChange }: { readonly choice: Choice; readonly onChange: (part: Partial<Choice>) => void }) {
  const texts = useRecentTexts()
  const { dispositions } = useCallSettings()
  return (
    <Filters label={texts.filters}>
      <Select
        label={texts.period}
        value={choice.period}
        onChange={(period) => onChange({ period })}
        options={(['TODAY', 'WEEK', 'MONTH'] as const).map((value) => ({ value, label: texts[value] }))}
      />
      <Select
        label={texts.direction}
        value={choice.direction}
        onChange={(direction) => onChange({ direction })}
        options={[
          { value: 'ALL', label: texts.bothDirections },
          { value: 'INBOUND', label: texts.INBOUND },
          { value: 'OUTBOUND', label: texts.OUTBOUND },
        ]}
      />
      {dispositions.length > 0 && (
        <Select
          label={texts.outcome}
          value={choice.disposition}
          onChange={(disposition) => onChange({ disposition })}
          options={[{ value: '', label: texts.allOutcomes }, ...dispositions.map((value) => ({ value, label: value }))]}
        />
      )}
    </Filters>
  )
}
