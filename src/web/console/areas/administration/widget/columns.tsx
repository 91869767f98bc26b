import { useMemo } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import type { Column } from '../../../ui/table.tsx'
import { KeyActions } from './key-actions.tsx'
import { isPreviewKey, type WidgetKey } from './keys.ts'
import { useWidgetTexts } from './texts.ts'

export function useKeyColumns(): readonly Column<WidgetKey>[] {
  const texts = useWidgetTexts()
  const { time } = useFormats()
  return useMemo(
    () => [
      {
        id: 'key',
        title: texts.key,
        isHeading: true,
        cell: ({ key }) => (
          <span className="admin-key">
            <code title={key}>{key}</code>
            <CopyButton text={key} name={key} size="s" look="quiet" />
          </span>
        ),
      },
      {
        id: 'origins',
        title: texts.origins,
        cell: (widgetKey) =>
          isPreviewKey(widgetKey) ? texts.forPreview : <span className="admin-origins">{widgetKey.origins.join(', ')}</span>,
      },
      {
        id: 'state',
        title: texts.state,
        cell: ({ validUntil }) =>
          validUntil === null ? <Badge tone="good">{texts.valid}</Badge> : <Badge tone="warn">{texts.until(time(validUntil))}</Badge>,
      },
      { id: 'created', title: texts.created, isNumber: true, isMinor: true, cell: ({ createdAt }) => time(createdAt) },
      {
        id: 'actions',
        title: texts.actions,
        isTitleHidden: true,
        isNumber: true,
        isCorner: true,
        cell: (widgetKey) => <KeyActions widgetKey={widgetKey} />,
      },
    ],
    [texts, time],
  )
}
