import { useMemo } from 'react'
import { Button as PlainButton } from 'react-aria-components/Button'
import { useAction } from '../../../data/use-action.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/table.tsx'
import type { TelephonyProviders } from '../telephony-providers.ts'
import { type ReceivedWebhook, type Replay, replayOne, verdictTones } from './log.ts'
import { useWebhookTexts } from './texts.ts'
import '../rows.css'

type Handlers = { readonly onChooseCall: (ucid: string) => void; readonly onReplayed: (replay: Replay) => void }
type ColumnsProps = Handlers & Pick<TelephonyProviders, 'nameOf'>

export function useWebhookColumns({ nameOf, onChooseCall, onReplayed }: ColumnsProps): readonly Column<ReceivedWebhook>[] {
  const texts = useWebhookTexts()
  const { second, number } = useFormats()
  return useMemo(
    () => [
      { id: 'received', title: texts.received, cell: ({ receivedAt }) => <time dateTime={receivedAt}>{second(receivedAt)}</time> },
      {
        id: 'verdict',
        title: texts.verdict,
        cell: ({ verdict, replayOf }) => (
          <span className="ui-actions">
            <Badge tone={verdictTones[verdict]}>{texts[verdict]}</Badge>
            {replayOf !== null && <Badge tone="info">{texts.isReplay}</Badge>}
          </span>
        ),
      },
      { id: 'about', title: texts.about, cell: (webhook) => <About webhook={webhook} nameOf={nameOf} onChooseCall={onChooseCall} /> },
      { id: 'why', title: texts.why, cell: (webhook) => <Why webhook={webhook} /> },
      {
        id: 'duration',
        title: texts.duration,
        isNumber: true,
        isMinor: true,
        cell: ({ durationMs }) => (durationMs === null ? null : texts.milliseconds(number(durationMs))),
      },
      {
        id: 'actions',
        title: texts.actions,
        isTitleHidden: true,
        isNumber: true,
        cell: (webhook) => <ReplayButton webhook={webhook} onReplayed={onReplayed} />,
      },
    ],
    [texts, second, number, nameOf, onChooseCall, onReplayed],
  )
}

type CellProps = { readonly webhook: ReceivedWebhook }

function About({ webhook: { provider, about, ucid }, nameOf, onChooseCall }: CellProps & Omit<ColumnsProps, 'onReplayed'>) {
  const texts = useWebhookTexts()
  return (
    <div className="admin-stack">
      <span>
        {about === null ? texts.unread : texts[about]}
        <span className="admin-minor"> · {nameOf(provider)}</span>
      </span>
      {ucid !== null && (
        <PlainButton className="admin-link admin-code" aria-label={texts.onlyCall(ucid)} onPress={() => onChooseCall(ucid)}>
          {ucid}
        </PlainButton>
      )}
    </div>
  )
}

/** Our own words for the usual reasons, with the service's sentence below. */
function Why({ webhook: { reason, detail, replayedAt } }: CellProps) {
  const texts = useWebhookTexts()
  const { time } = useFormats()
  if (reason === null) return null
  const known = Object.entries(texts).find(([name]) => name === reason)?.[1]
  return (
    <div className="admin-stack admin-why">
      <span>{typeof known === 'string' ? known : reason}</span>
      {detail !== null && (
        <span className="admin-minor" lang="en">
          {detail}
        </span>
      )}
      {replayedAt !== null && <Badge tone="good">{texts.replayedAt(time(replayedAt))}</Badge>}
    </div>
  )
}

function ReplayButton({ webhook: { id, canReplay }, onReplayed }: CellProps & Pick<Handlers, 'onReplayed'>) {
  const texts = useWebhookTexts()
  const { run, isPending } = useAction(replayOne)
  if (!canReplay) return null
  const replay = async (): Promise<void> => {
    const answer = await run({ id })
    if (answer) onReplayed(answer.replayWebhook)
  }
  return (
    <Button size="s" isPending={isPending} onPress={() => void replay()}>
      {texts.replay}
    </Button>
  )
}
