import { RotateCcw, Webhook } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { type Pages, useListPages } from '../../../data/pages.ts'
import { usePolling } from '../../../data/polling.ts'
import { useSettled } from '../../../data/settled.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Page, Section } from '../../../ui/page.tsx'
import { PagedTable } from '../../../data/paged-table.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { showToast } from '../../../ui/toast.ts'
import { type TelephonyProviders, useTelephonyProviders } from '../telephony-providers.ts'
import { Addresses } from './addresses.tsx'
import { useWebhookColumns } from './columns.tsx'
import { type Log, logDocument, type ReceivedWebhook, type Replay, replayAll, statusDocument } from './log.ts'
import { ProviderCards } from './provider-cards.tsx'
import { useWebhookTexts } from './texts.ts'
import { type Choice, everything, WebhookFilters } from './webhook-filters.tsx'

const refreshMs = 10_000
const hourMs = 3_600_000

/** What the telephony providers sent, and what became of it. */
export function WebhooksScreen() {
  const texts = useWebhookTexts()
  const { providers, nameOf } = useTelephonyProviders()
  const [choice, setChoice] = useState(everything)
  const change = useCallback((part: Partial<Choice>) => setChoice((before) => ({ ...before, ...part })), [])
  const [{ data, error }, read] = useQuery({ query: statusDocument })
  const readStatus = useCallback(() => read({ requestPolicy: 'network-only' }), [read])
  const pages = useLog(choice)
  const { reload } = pages
  const readAll = useCallback(() => {
    readStatus()
    reload()
  }, [readStatus, reload])
  const onReplayed = useReplayResult(readAll)
  usePolling(() => {
    readStatus()
    pages.refresh()
  }, refreshMs)
  const hasFailed = data?.webhookStatus.some(({ failed }) => failed > 0) === true
  return (
    <Page isWide title={texts.title} lead={texts.lead} actions={hasFailed && <ReplayAll onReplayed={onReplayed} />}>
      {data ? (
        <ProviderCards status={data} nameOf={nameOf} onChoose={(chosen) => setChoice({ ...everything, ...chosen })} />
      ) : (
        <Card>{error ? <ErrorState error={error} onRetry={readStatus} /> : <Skeleton rows={3} />}</Card>
      )}
      <Section title={texts.log}>
        <WebhookFilters providers={providers} choice={choice} onChange={change} />
        <LogTable pages={pages} nameOf={nameOf} isFiltered={choice !== everything} onChange={change} onReplayed={onReplayed} />
      </Section>
      {data && <Addresses providers={providers} keys={data.webhookKeys} onChanged={readStatus} />}
    </Page>
  )
}

function useLog({ provider, verdict, period, ucid }: Choice): Pages<ReceivedWebhook> {
  const call = useSettled(ucid)
  // A period begins when it is chosen, so that all pages are of one list.
  const from = useMemo(
    () => (period === 'WEEK' ? null : new Date(Date.now() - hourMs * (period === 'DAY' ? 24 : 1)).toISOString()),
    [period],
  )
  const variables = {
    ...(provider !== 'ALL' && { provider }),
    ...(verdict !== 'ALL' && { verdict }),
    ...(call !== '' && { ucid: call }),
    ...(from !== null && { from }),
  }
  return useListPages({ document: logDocument, variables, listOf })
}

function listOf({ webhookLog }: Log): Log['webhookLog'] {
  return webhookLog
}

/** Says what a replay did. The same function as long as `onDone` is, so that no row is drawn again. */
function useReplayResult(onDone: () => void): (replay: Replay) => void {
  const texts = useWebhookTexts()
  return useCallback(
    ({ replayed, failed, remaining }) => {
      const more = [...(failed > 0 ? [texts.failedAgain(failed)] : []), ...(remaining ? [texts.moreRemain] : [])]
      showToast({
        tone: failed > 0 ? 'bad' : replayed > 0 ? 'good' : 'info',
        title: replayed + failed > 0 ? texts.replayed(replayed) : texts.nothingReplayed,
        ...(more.length > 0 && { text: more.join('. ') }),
      })
      onDone()
    },
    [texts, onDone],
  )
}

type LogTableProps = Pick<TelephonyProviders, 'nameOf'> & {
  readonly pages: Pages<ReceivedWebhook>
  readonly isFiltered: boolean
  readonly onChange: (part: Partial<Choice>) => void
  readonly onReplayed: (replay: Replay) => void
}

function LogTable({ pages, nameOf, isFiltered, onChange, onReplayed }: LogTableProps) {
  const texts = useWebhookTexts()
  const onChooseCall = useCallback((ucid: string) => onChange({ ucid }), [onChange])
  const columns = useWebhookColumns({ nameOf, onChooseCall, onReplayed })
  return (
    <PagedTable
      label={texts.log}
      pages={pages}
      columns={columns}
      empty={{
        icon: <Webhook />,
        title: isFiltered ? texts.noneFiltered : texts.none,
        text: isFiltered ? texts.noneFilteredText : texts.noneText,
      }}
    />
  )
}

function ReplayAll({ onReplayed }: { readonly onReplayed: (replay: Replay) => void }) {
  const texts = useWebhookTexts()
  const { run, isPending } = useAction(replayAll)
  const replay = async (): Promise<void> => {
    const answer = await run({})
    if (answer) onReplayed(answer.replayWebhooks)
  }
  return (
    <Button icon={<RotateCcw />} isPending={isPending} onPress={() => void replay()}>
      {texts.replayFailed}
    </Button>
  )
}
