import { PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react'
import { useMemo } from 'react'
import type { NameOf } from '../../../session/leads.ts'
import { useFormats } from '../../../i18n/format.ts'
import { LateOutcome } from '../../../phone/late-outcome.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Person } from '../../../ui/phone-number.tsx'
import type { Column } from '../../../ui/table.tsx'
import { clockText } from '../../../ui/timer.tsx'
import type { RecentCall } from './calls.ts'
import { useRecentTexts } from './texts.ts'
import './recent.css'

export function useRecentColumns(nameOf: NameOf): readonly Column<RecentCall>[] {
  const texts = useRecentTexts()
  const { time } = useFormats()
  return useMemo(
    () => [
      { id: 'person', title: texts.person, isHeading: true, cell: (call) => <Party call={call} name={nameOf(call.leadId)} /> },
      {
        id: 'when',
        title: texts.when,
        cell: ({ startedAt }) => startedAt !== null && <time dateTime={startedAt}>{time(startedAt)}</time>,
        sortBy: ({ startedAt }) => startedAt ?? '',
      },
      {
        id: 'outcome',
        title: texts.outcome,
        cell: (call) => <Outcome call={call} />,
      },
      { id: 'notes', title: texts.notes, isMinor: true, cell: ({ notes }) => <span className="desk-recent-notes">{notes}</span> },
      {
        id: 'duration',
        title: texts.duration,
        isNumber: true,
        cell: ({ durationSeconds }) => (durationSeconds ? clockText(durationSeconds) : texts.notAnswered),
        sortBy: ({ durationSeconds }) => durationSeconds ?? 0,
      },
    ],
    [texts, time, nameOf],
  )
}

/** An answered call can still get one. */
function Outcome({ call }: { readonly call: RecentCall }) {
  const texts = useRecentTexts()
  const { ucid, disposition, automaticDisposition, answeredAt, endedAt } = call
  if (disposition !== null) return <Badge tone="info">{disposition}</Badge>
  if (ucid === null || answeredAt === null || endedAt === null) return <Badge>{texts.noOutcome}</Badge>
  return <LateOutcome call={{ ucid, automaticDisposition }} />
}

type PartyProps = { readonly call: RecentCall; readonly name: string | null }

function Party({ call: { direction, durationSeconds, phoneNumber, leadId }, name }: PartyProps) {
  const texts = useRecentTexts()
  const isOutbound = direction === 'OUTBOUND'
  const Icon = isOutbound ? PhoneOutgoing : durationSeconds ? PhoneIncoming : PhoneMissed
  return (
    <span className="desk-recent-party">
      <Icon role="img" aria-label={isOutbound ? texts.OUTBOUND : texts.INBOUND} />
      {phoneNumber === null ? (name ?? texts.withheld) : <Person name={name} number={phoneNumber} leadId={leadId} />}
    </span>
  )
}
