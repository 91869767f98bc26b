import { Link } from '@tanstack/react-router'
import { useFormats } from '../../../i18n/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { clockText } from '../../../ui/timer.tsx'
import { useNames } from '../names.ts'
import { numberOf } from './match-row.tsx'
import type { RecordedCall } from './recorded-calls.ts'
import { useListTexts } from './texts.ts'

type State = NonNullable<RecordedCall['status']>['state']
const tones: Readonly<Record<State, Tone>> = {
  DONE: 'good',
  RUNNING: 'info',
  WAITING: 'info',
  OVER_BUDGET: 'warn',
  FAILED: 'bad',
  NOT_REQUESTED: 'neutral',
}

/** A call with a recording, analysed or not. */
export function RecordedRow({ call }: { readonly call: RecordedCall }) {
  const texts = useListTexts()
  const names = useNames()
  const { time } = useFormats()
  const { id, startedAt, durationSeconds, direction, phoneNumber, disposition, agentName, status, details } = call
  const state = status?.state ?? 'NOT_REQUESTED'
  const number = numberOf(phoneNumber)
  return (
    <li className="rec-row">
      <div className="rec-row-main">
        <p className="rec-row-who">
          <Link to="/recordings/$callId" params={{ callId: id }} className="rec-row-link">
            {details?.customer ?? number ?? texts.call}
          </Link>
          {(details?.customer ?? null) !== null && <span className="rec-quiet numbers">{number}</span>}
        </p>
        <p className="rec-row-text">
          {[direction && names[direction], disposition].filter((text) => text !== null && text !== '').join(' · ')}
        </p>
      </div>
      <p className="rec-row-verdicts">
        <Badge tone={tones[state]}>{texts[state]}</Badge>
      </p>
      <p className="rec-row-agent">{agentName ?? <span className="rec-quiet">{texts.nobody}</span>}</p>
      <p className="rec-row-when numbers">
        {startedAt !== null && <time dateTime={startedAt}>{time(startedAt)}</time>}
        {durationSeconds !== null && <span className="rec-quiet">{clockText(durationSeconds)}</span>}
      </p>
    </li>
  )
}
