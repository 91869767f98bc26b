import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLead } from '../../../session/leads.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Person } from '../../../ui/phone-number.tsx'
import type { Column } from '../../../ui/table.tsx'
import type { DeadLetter } from './dead-letters.ts'
import { textOf, useDeadLetterTexts, useEventTexts } from './texts.ts'
import '../rows.css'
import './dead-letters.css'

export type Choosing = {
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (id: string, isChosen: boolean) => void
  readonly onReplay: (id: string) => void
  readonly isBusy: boolean
}

export function useDeadLetterColumns({ chosen, onChoose, onReplay, isBusy }: Choosing): readonly Column<DeadLetter>[] {
  const texts = useDeadLetterTexts()
  const events = useEventTexts()
  const { time } = useFormats()
  return useMemo(
    () => [
      {
        id: 'chosen',
        title: texts.chosen,
        isTitleHidden: true,
        isCorner: true,
        cell: ({ id, topic, key }) => (
          <Checkbox
            isChecked={chosen.has(id)}
            isDisabled={isBusy}
            onChange={(isChosen) => onChoose(id, isChosen)}
            name={texts.choose(`${textOf(events, topic)} ${key ?? ''}`.trim())}
          />
        ),
      },
      { id: 'event', title: texts.event, isHeading: true, cell: (deadLetter) => <EventCell deadLetter={deadLetter} /> },
      { id: 'receiver', title: texts.receiver, cell: ({ receiver }) => textOf(events, receiver) },
      { id: 'why', title: texts.why, cell: (deadLetter) => <Why deadLetter={deadLetter} /> },
      {
        id: 'failedAt',
        title: texts.failedAt,
        isNumber: true,
        cell: ({ deadAt }) => <time dateTime={deadAt}>{time(deadAt)}</time>,
        sortBy: ({ deadAt }) => Date.parse(deadAt),
      },
      {
        id: 'actions',
        title: texts.actions,
        isTitleHidden: true,
        isNumber: true,
        cell: ({ id }) => (
          <Button size="s" isDisabled={isBusy} onPress={() => onReplay(id)}>
            {texts.replay}
          </Button>
        ),
      },
    ],
    [texts, events, time, chosen, onChoose, onReplay, isBusy],
  )
}

type CellProps = { readonly deadLetter: DeadLetter }

/** What happened, to whom and when; the ID below is for those who look for it in a log. */
function EventCell({ deadLetter: { topic, key, leadId, phoneNumber, occurredAt } }: CellProps) {
  const events = useEventTexts()
  const { time } = useFormats()
  const lead = useLead(leadId)
  const number = phoneNumber ?? lead?.phoneNumber ?? null
  return (
    <div className="admin-stack">
      <span>
        <span className="admin-strong">{textOf(events, topic)}</span>
        {occurredAt !== null && (
          <time className="admin-minor" dateTime={occurredAt}>
            {` ${time(occurredAt)}`}
          </time>
        )}
      </span>
      {number === null ? lead?.name : <Person name={lead?.name ?? null} number={number} leadId={leadId} />}
      {key !== null && <span className="admin-code admin-minor">{key}</span>}
    </div>
  )
}

/** What is wrong, what the platform said, and what to do. */
function Why({ deadLetter: { reason, detail } }: CellProps) {
  const texts = useDeadLetterTexts()
  const section = sectionsOf[reason]
  return (
    <div className="admin-stack admin-why">
      <span>{texts[reason]}</span>
      {detail !== null && <code className="admin-code">{detail}</code>}
      <span className="admin-minor">{texts[`${reason}_advice`]}</span>
      {section !== undefined && (
        <Link to="/administration/configuration/$section" params={{ section }}>
          {texts.openSection}
        </Link>
      )}
      {reason === 'NOT_CONFIGURED' && <Link to="/administration/setup">{texts.openSetup}</Link>}
    </div>
  )
}

/** Where the cause is corrected. */
const sectionsOf: Partial<Readonly<Record<DeadLetter['reason'], string>>> = { MODEL_REFUSED: 'ai', RECORD_REFUSED: 'platform' }
