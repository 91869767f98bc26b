import { ChevronLeft, ChevronRight, PhoneOff } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { ErrorState } from '../../../data/error-state.tsx'
import { useLeadNames } from '../../../session/leads.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/page.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import type { Asked } from './asked.ts'
import { useCallColumns } from './call-columns.tsx'
import { type CallFilters, directions, statuses } from './call-filters.ts'
import { CsvButton } from './csv-button.tsx'
import { callsDocument } from './history-query.ts'
import { useHistoryTexts } from './texts.ts'

/** Call records of a range by pages, the newest first, and all of them as a file. */
export function CallList({ asked: { from, to, agent, campaign } }: { readonly asked: Asked }) {
  const texts = useHistoryTexts()
  const [filters, setFilters] = useState<CallFilters>({ direction: null, status: null, phoneNumber: null })
  // The cursor of each page up to this one; the first page has none.
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null])
  const choose = (part: Partial<CallFilters>): void => {
    setFilters({ ...filters, ...part })
    setCursors([null])
  }
  const asking = useMemo(() => ({ from, to, agentId: agent, campaignName: campaign, ...filters }), [from, to, agent, campaign, filters])
  const variables = useMemo(() => ({ ...asking, after: cursors.at(-1) ?? null }), [asking, cursors])
  const [{ data, error, fetching }, refresh] = useQuery({ query: callsDocument, variables })
  const page = data?.historyCalls
  const columns = useCallColumns(useLeadNames((page?.nodes ?? []).map(({ leadId }) => leadId)))
  const next = page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null
  return (
    <Card isFlush>
      <div className="history-calls-head">
        <CallFilterFields filters={filters} onChange={choose} />
        <CsvButton query={asking} />
      </div>
      {error ? (
        <ErrorState error={error} onRetry={() => refresh({ requestPolicy: 'network-only' })} />
      ) : !page || (fetching && page.nodes.length === 0) ? (
        <Skeleton rows={10} />
      ) : (
        <div className="history-calls">
          <Table
            label={texts.calls}
            columns={columns}
            rows={page.nodes}
            rowKey={({ id }) => id}
            empty={
              <EmptyState icon={<PhoneOff />} title={texts.empty}>
                <p>{texts.emptyText}</p>
              </EmptyState>
            }
          />
        </div>
      )}
      {(next !== null || cursors.length > 1) && (
        <div className="history-pages">
          <Button size="s" icon={<ChevronLeft />} isDisabled={cursors.length === 1} onPress={() => setCursors(cursors.slice(0, -1))}>
            {texts.newer}
          </Button>
          <span className="numbers">{texts.page(cursors.length)}</span>
          <Button
            size="s"
            isPending={fetching}
            isDisabled={next === null}
            onPress={() => next !== null && setCursors([...cursors, next])}
            icon={<ChevronRight />}
          >
            {texts.older}
          </Button>
        </div>
      )}
    </Card>
  )
}

type CallFilterProps = { readonly filters: CallFilters; readonly onChange: (part: Partial<CallFilters>) => void }

function CallFilterFields({ filters: { direction, status, phoneNumber }, onChange }: CallFilterProps) {
  const texts = useHistoryTexts()
  const [number, setNumber] = useState('')
  const wanted = number.trim() || null
  const search = (): void => {
    if (wanted !== phoneNumber) onChange({ phoneNumber: wanted })
  }
  return (
    <div className="ui-actions">
      <Field
        label={texts.number}
        isLabelHidden
        placeholder={texts.number}
        type="search"
        maxLength={40}
        value={number}
        onChange={setNumber}
        onBlur={search}
        onKeyDown={({ key }) => key === 'Enter' && search()}
      />
      <Select
        label={texts.direction}
        isLabelHidden
        options={[{ value: 'ALL', label: texts.allDirections }, ...directions.map((value) => ({ value, label: texts[value] }))]}
        value={direction ?? 'ALL'}
        onChange={(value) => onChange({ direction: value === 'ALL' ? null : value })}
      />
      <Select
        label={texts.status}
        isLabelHidden
        options={[{ value: 'ALL', label: texts.allStatuses }, ...statuses.map((value) => ({ value, label: texts[value] }))]}
        value={status ?? 'ALL'}
        onChange={(value) => onChange({ status: value === 'ALL' ? null : value })}
      />
    </div>
  )
}
