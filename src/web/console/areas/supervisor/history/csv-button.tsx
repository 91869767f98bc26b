import { service } from '../../../data/service-client.ts'
import { DownloadButton } from '../../../data/download-button.tsx'
import type { CallFilters } from './call-filters.ts'
import { useHistoryTexts } from './texts.ts'

type CsvButtonProps = {
  readonly query: CallFilters & {
    readonly from: string
    readonly to: string
    readonly agentId: string | null
    readonly campaignName: string | null
  }
}

/** All calls of the list as a file. */
export function CsvButton({ query: { from, to, ...filters } }: CsvButtonProps) {
  const texts = useHistoryTexts()
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null))
  return (
    <DownloadButton
      name={`calls-${from}-${to}.csv`}
      done={texts.downloaded}
      read={() => service.rest('GET /api/history/calls.csv', { query: { from, to, ...chosen } })}
    >
      {texts.download}
    </DownloadButton>
  )
}
