import { Phone } from 'lucide-react'
import { useState } from 'react'
import { useLeadNames } from '../../../session/leads.ts'
import { useListPages } from '../../../data/pages.ts'
import { usePolling } from '../../../data/polling.ts'
import { dayText } from '../../../i18n/day-text.ts'
import { useCallSettings } from '../../../phone/agent-state.ts'
import { Filters } from '../../../ui/filters.tsx'
import { Page } from '../../../ui/page.tsx'
import { PagedTable } from '../../../data/paged-table.tsx'
import { Select } from '../../../ui/select.tsx'
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

/** The record of a call is there some seconds after its end. */
const refreshMs = 10_000

/** The agent's own calls of the last days. */
export function RecentScreen() {
  const texts = useRecentTexts()
  const [choice, setChoice] = useState(everything)
  const pages = useListPages({ document: recentCallsDocument, variables: variablesOf(choice), listOf })
  usePolling(pages.refresh, refreshMs)
  const columns = useRecentColumns(useLeadNames((pages.entries ?? []).map(({ leadId }) => leadId)))
  const isFiltered = choice !== everything
  return (
    <Page isWide title={texts.title} lead={texts.lead}>
      <CallFilters choice={choice} onChange={(part) => setChoice({ ...choice, ...part })} />
      <PagedTable
        label={texts.title}
        pages={pages}
        columns={columns}
        empty={{
          icon: <Phone />,
          title: isFiltered ? texts.noneFits : texts.none,
          text: isFiltered ? texts.noneFitsText : texts.noneText,
        }}
      />
    </Page>
  )
}

function listOf({ historyCalls }: RecentCalls): RecentCalls['historyCalls'] {
  return historyCalls
}

/** The clinic may have a day more or less than this device. */
function variablesOf({ period, direction, disposition }: Choice) {
  return {
    from: dayFromNow(-periods[period]),
    to: dayFromNow(1),
    ...(direction !== 'ALL' && { direction }),
    ...(disposition !== '' && { disposition }),
  }
}

function dayFromNow(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() + days)
  return dayText(date)
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
