import { PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import { useMemo } from 'react'
import { LateOutcome } from '../../../phone/late-outcome.tsx'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/table.tsx'
import { clockText, Timer } from '../../../ui/timer.tsx'
import { stateTones } from '../state-tones.ts'
import { useClinicTime } from './clinic-time.ts'
import { useDayTexts } from './texts.ts'
import type { TimelineCall, TimelineState } from './timeline-query.ts'

export function useStateColumns(timeZone: string): readonly Column<TimelineState>[] {
  const texts = useDayTexts()
  const time = useClinicTime(timeZone)
  return useMemo(
    () => [
      { id: 'from', title: texts.from, cell: ({ from }) => <time dateTime={from}>{time(from)}</time> },
      {
        id: 'state',
        title: texts.state,
        cell: ({ state, reason }) => (
          <Badge tone={stateTones[state]} hasDot>
            {reason ?? texts[state]}
          </Badge>
        ),
      },
      { id: 'lasted', title: texts.lasted, isNumber: true, cell: (state) => <Lasted state={state} /> },
    ],
    [texts, time],
  )
}

function Lasted({ state: { from, to } }: { readonly state: TimelineState }) {
  if (to === null) return <Timer since={from} />
  return clockText(Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000)))
}

export function useDayCallColumns(timeZone: string): readonly Column<TimelineCall>[] {
  const texts = useDayTexts()
  const time = useClinicTime(timeZone)
  return useMemo(
    () => [
      { id: 'when', title: texts.from, cell: ({ startedAt }) => <time dateTime={startedAt}>{time(startedAt)}</time> },
      { id: 'call', title: texts.call, cell: (call) => <CallName call={call} /> },
      { id: 'result', title: texts.result, cell: (call) => <Result call={call} /> },
      { id: 'talk', title: texts.talk, isNumber: true, cell: ({ talkSeconds }) => durationText(talkSeconds) },
      { id: 'wrapUp', title: texts.wrapUp, isNumber: true, cell: ({ wrapUpSeconds }) => durationText(wrapUpSeconds) },
    ],
    [texts, time],
  )
}

/** An answered call that has no outcome can still get one. */
function Result({ call: { ucid, phase, disposition, automaticDisposition } }: { readonly call: TimelineCall }) {
  const texts = useDayTexts()
  if (disposition !== null || phase !== 'COMPLETED') return disposition ?? texts[phase]
  return <LateOutcome call={{ ucid, automaticDisposition }} />
}

function durationText(seconds: number | null): string {
  return seconds === null ? '–' : clockText(seconds)
}

function CallName({ call: { direction, campaignName } }: { readonly call: TimelineCall }) {
  const texts = useDayTexts()
  const Direction = direction === 'OUTBOUND' ? PhoneOutgoing : PhoneIncoming
  return (
    <span className="sup-call">
      <Direction aria-hidden="true" />
      {campaignName ?? texts[direction]}
    </span>
  )
}
