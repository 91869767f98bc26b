import { useMemo } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/table.tsx'
import { clockText, Timer } from '../../../ui/timer.tsx'
import { AcknowledgeButton } from './acknowledge-button.tsx'
import { type Alert, sentenceOf, unitOf } from './alerts.ts'
import { useAlertTexts } from './texts.ts'

export function useAlertColumns(): readonly Column<Alert>[] {
  const texts = useAlertTexts()
  const { time } = useFormats()
  return useMemo(
    () => [
      {
        id: 'what',
        title: texts.what,
        cell: (alert) => (
          <span className="ui-actions">
            {sentenceOf(alert, texts)}
            {alert.clearedAt === null && (
              <Badge tone="bad" hasDot>
                {texts.stillActive}
              </Badge>
            )}
          </span>
        ),
      },
      {
        id: 'limit',
        title: texts.limit,
        isNumber: true,
        cell: ({ kind, threshold }) => texts[unitOf[kind]](threshold),
      },
      { id: 'raised', title: texts.raised, isNumber: true, cell: ({ raisedAt }) => <time dateTime={raisedAt}>{time(raisedAt)}</time> },
      { id: 'lasted', title: texts.lasted, isNumber: true, cell: (alert) => <Lasted alert={alert} /> },
      { id: 'seen', title: texts.seen, isNumber: true, cell: (alert) => <AcknowledgeButton alert={alert} /> },
    ],
    [texts, time],
  )
}

function Lasted({ alert: { raisedAt, clearedAt } }: { readonly alert: Alert }) {
  if (clearedAt === null) return <Timer since={raisedAt} />
  return clockText(Math.max(0, Math.round((Date.parse(clearedAt) - Date.parse(raisedAt)) / 1_000)))
}
