import { PhoneMissed } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ErrorState } from '../../../data/error-state.tsx'
import { useLeadNames } from '../../../session/leads.ts'
import { useLive } from '../../../data/live.ts'
import { useMember } from '../../../session/session.ts'
import { useNow } from '../../../ui/now.ts'
import { Card, Page } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { useWorklistTexts } from './texts.ts'
import { useWorklistColumns } from './columns.tsx'
import { isOf, worklistLive } from './worklist.ts'

/** People to call back, as they come, are claimed and are closed. */
export function WorklistScreen() {
  const texts = useWorklistTexts()
  const { agent } = useMember()
  const { state: entries, isCurrent, error } = useLive(worklistLive)
  const [filter, setFilter] = useState<'all' | 'mine'>('all')
  const now = useNow(15_000)
  const nameOf = useLeadNames([...entries.values()].map(({ leadId }) => leadId))
  const columns = useWorklistColumns(now, nameOf)
  const rows = useMemo(() => {
    const all = [...entries.values()].toSorted((a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt))
    return filter === 'all' ? all : all.filter((entry) => isOf(agent?.id, entry, now))
  }, [entries, filter, now, agent])
  const options = [
    { value: 'all', label: texts.all },
    { value: 'mine', label: texts.mine },
  ] as const
  return (
    <Page
      title={texts.title}
      lead={texts.lead(entries.size)}
      actions={<Segments label={texts.filter} options={options} value={filter} onChange={setFilter} />}
      isWide
    >
      <Card isFlush>
        {error ? (
          <ErrorState error={error} />
        ) : !isCurrent && entries.size === 0 ? (
          <Skeleton rows={5} />
        ) : (
          <Table label={texts.title} columns={columns} rows={rows} rowKey={({ id }) => id} empty={<Empty isMine={filter === 'mine'} />} />
        )}
      </Card>
    </Page>
  )
}

function Empty({ isMine }: { readonly isMine: boolean }) {
  const texts = useWorklistTexts()
  return (
    <EmptyState icon={<PhoneMissed />} title={isMine ? texts.emptyMine : texts.empty}>
      {!isMine && <p>{texts.emptyText}</p>}
    </EmptyState>
  )
}
