import { BellRing } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { graphql } from '../../../data/graphql.ts'
import { useLive } from '../../../data/live.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { activeAlertsLive, alertFields } from './alerts.ts'
import { useAlertColumns } from './columns.tsx'
import { useAlertTexts } from './texts.ts'
import './alerts.css'

const alertsDocument = graphql(
  `
    query Alerts($activeOnly: Boolean!, $first: Int!) {
      alerts(activeOnly: $activeOnly, first: $first) {
        nodes {
          ...AlertFields
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  `,
  [alertFields],
)

const [pageSize, most] = [50, 200]

/** Limits that were reached in the last 30 days. */
export function AlertsScreen() {
  const texts = useAlertTexts()
  const { number } = useFormats()
  const [filter, setFilter] = useState<'all' | 'active'>('all')
  const [first, setFirst] = useState(pageSize)
  const { state: active } = useLive(activeAlertsLive)
  const variables = useMemo(() => ({ activeOnly: filter === 'active', first }), [filter, first])
  const [{ data, error, stale }, refresh] = useQuery({ query: alertsDocument, variables })
  useEffect(() => refresh({ requestPolicy: 'network-only' }), [active, refresh])
  const columns = useAlertColumns()
  const options = [
    { value: 'all', label: texts.all },
    { value: 'active', label: texts.onlyActive },
  ] as const
  const rows = data?.alerts.nodes ?? []
  return (
    <Page
      title={texts.title}
      lead={active.size === 0 ? texts.none : texts.lead(active.size)}
      actions={<Segments label={texts.show} options={options} value={filter} onChange={setFilter} />}
      isWide
    >
      <Card isFlush>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => refresh({ requestPolicy: 'network-only' })} />
        ) : data ? (
          <Table
            label={texts.title}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              <EmptyState icon={<BellRing />} title={filter === 'active' ? texts.none : texts.empty}>
                <p>{texts.emptyText}</p>
              </EmptyState>
            }
          />
        ) : (
          <Skeleton rows={6} />
        )}
        {data?.alerts.pageInfo.hasNextPage === true && first < most && (
          <p className="alerts-more">
            <Button size="s" isPending={stale} onPress={() => setFirst(Math.min(most, first + pageSize))}>
              {`${texts.older} (${number(rows.length)})`}
            </Button>
          </p>
        )}
      </Card>
    </Page>
  )
}
