import { Link } from '@tanstack/react-router'
import { AudioLines, PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import { useMemo } from 'react'
import type { NameOf } from '../../../session/leads.ts'
import { useFormats } from '../../../i18n/format.ts'
import { LateOutcome } from '../../../phone/late-outcome.tsx'
import { Person } from '../../../ui/phone-number.tsx'
import type { Column } from '../../../ui/table.tsx'
import { clockText } from '../../../ui/timer.tsx'
import { statuses } from './call-filters.ts'
import type { HistoryCall } from './history-query.ts'
import { useHistoryTexts } from './texts.ts'

export function useCallColumns(nameOf: NameOf): readonly Column<HistoryCall>[] {
  const texts = useHistoryTexts()
  const { time } = useFormats()
  return useMemo(
    () => [
      {
        id: 'when',
        title: texts.when,
        cell: ({ startedAt }) => (startedAt === null ? '–' : <time dateTime={startedAt}>{time(startedAt)}</time>),
      },
      { id: 'person', title: texts.person, cell: (call) => <Party call={call} name={nameOf(call.leadId)} /> },
      { id: 'agent', title: texts.agent, cell: ({ agentName }) => agentName ?? texts.noAgent },
      { id: 'campaign', title: texts.campaign, isMinor: true, cell: ({ campaignName }) => campaignName ?? texts.noCampaign },
      {
        id: 'outcome',
        title: texts.outcome,
        cell: (call) => <Outcome call={call} />,
      },
      {
        id: 'talk',
        title: texts.talk,
        isNumber: true,
        cell: ({ durationSeconds }) => (durationSeconds === null ? '–' : clockText(durationSeconds)),
      },
      {
        id: 'recording',
        title: texts.recording,
        isTitleHidden: true,
        cell: ({ id, hasRecording }) =>
          hasRecording && (
            <Link to="/recordings/$callId" params={{ callId: id }} className="hist-recording">
              <AudioLines role="img" aria-label={texts.recorded} />
            </Link>
          ),
      },
    ],
    [texts, time, nameOf],
  )
}

/** An answered call that has none can still get one. */
function Outcome({ call }: { readonly call: HistoryCall }) {
  const texts = useHistoryTexts()
  const { ucid, disposition, automaticDisposition, answeredAt, endedAt, status } = call
  if (disposition !== null || ucid === null || answeredAt === null || endedAt === null) return disposition ?? resultOf(status, texts)
  return <LateOutcome call={{ ucid, automaticDisposition }} />
}

type PartyProps = { readonly call: HistoryCall; readonly name: string | null }

function Party({ call: { direction, phoneNumber, leadId }, name }: PartyProps) {
  const texts = useHistoryTexts()
  const Direction = direction === 'OUTBOUND' ? PhoneOutgoing : PhoneIncoming
  return (
    <span className="sup-call">
      <Direction role="img" aria-label={texts[direction ?? 'INBOUND']} />
      {phoneNumber === null ? (name ?? texts.withheld) : <Person name={name} number={phoneNumber} leadId={leadId} />}
    </span>
  )
}

/** The status is a word of the workspace: ours where it is one of ours. */
function resultOf(status: string | null, texts: ReturnType<typeof useHistoryTexts>): string {
  const known = statuses.find((result) => result === status)
  return known ? texts[known] : (status ?? '–')
}
