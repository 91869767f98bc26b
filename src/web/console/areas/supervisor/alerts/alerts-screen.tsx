import { BellRing } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { useLive } from '../../../data/live.ts'
import { useListPages } from '../../../data/pages.ts'
import { Card, Page } from '../../../ui/page.tsx'
import { PagedTable } from '../../../ui/paged-table.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { activeAlertsLive, alertFields } from './alerts.ts'
import { useAlertColumns } from './columns.tsx'
import { useAlertTexts } from './texts.ts'
import './alerts.css'

const alertsDocument = graphql(
  `
    query Alerts($activeOnly: Boolean!, $after: String) {
      alerts(activeOnly: $activeOnly, first: 50, after: $after) {
        nodes {
          ...AlertFields
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [alertFields],
)

type Alerts = ResultOf<typeof alertsDocument>

/** Limits that were reached in the last 30 days. */
export function AlertsScreen() {
  const texts = useAlertTexts()
  const [filter, setFilter] = useState<'all' | 'active'>('all')
  const { state: active } = useLive(activeAlertsLive)
  const pages = useListPages({ document: alertsDocument, variables: { activeOnly: filter === 'active' }, listOf })
  const refresh = useRef(pages.refresh)
  useEffect(() => {
    refresh.current = pages.refresh
  })
  useEffect(() => refresh.current(), [active])
  const columns = useAlertColumns()
  const options = [
    { value: 'all', label: texts.all },
    { value: 'active', label: texts.onlyActive },
  ] as const
  return (
    <Page
      title={texts.title}
      lead={active.size === 0 ? texts.none : texts.lead(active.size)}
      actions={<Segments label={texts.show} options={options} value={filter} onChange={setFilter} />}
      isWide
    >
      <Card isFlush>
        <PagedTable
          label={texts.title}
          pages={pages}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={<BellRing />} title={filter === 'active' ? texts.none : texts.empty}>
              <p>{texts.emptyText}</p>
            </EmptyState>
          }
        />
      </Card>
    </Page>
  )
}

function listOf({ alerts }: Alerts): Alerts['alerts'] {
  return alerts
}
