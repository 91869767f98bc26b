import { Link } from '@tanstack/react-router'
import { BellRing } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { useLive } from '../../../data/live.ts'
import { type Pages, useListPages } from '../../../data/pages.ts'
import { Page } from '../../../ui/page.tsx'
import { PagedTable } from '../../../data/paged-table.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { activeAlertsLive, type Alert, alertFields } from './alerts.ts'
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
  useFollowing(pages)
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
      <PagedTable
        label={texts.title}
        pages={pages}
        columns={columns}
        empty={{ icon: <BellRing />, title: filter === 'active' ? texts.none : texts.empty, text: <NoAlerts /> }}
      />
    </Page>
  )
}

function NoAlerts() {
  const texts = useAlertTexts()
  return (
    <>
      {texts.emptyText}{' '}
      <Link to="/administration/configuration/$section" params={{ section: 'alerts' }}>
        {texts.setLimits}
      </Link>
    </>
  )
}

/** Reads the list again with each change of the active alerts. Their first state may say no more than the list that was just read. */
function useFollowing({ entries, refresh }: Pages<Alert>): void {
  const { state: active, isCurrent } = useLive(activeAlertsLive)
  const followed = useRef<ReadonlyMap<string, Alert> | null>(null)
  useEffect(() => {
    if (!isCurrent || entries === null || followed.current === active) return
    const isFirst = followed.current === null
    followed.current = active
    if (!isFirst || !isWithin(active, entries)) refresh()
  }, [active, isCurrent, entries, refresh])
}

/** Whether the list says the same about them. */
function isWithin(active: ReadonlyMap<string, Alert>, entries: readonly Alert[]): boolean {
  const shown = entries.filter(({ clearedAt }) => clearedAt === null)
  return shown.length === active.size && shown.every((alert) => active.get(alert.id)?.acknowledgedAt === alert.acknowledgedAt)
}

function listOf({ alerts }: Alerts): Alerts['alerts'] {
  return alerts
}
