import { PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import { useFormats } from '../../i18n/format.ts'
import { useCallTexts } from '../../phone/call-texts.ts'
import type { ScreenPop } from '../../phone/caller.ts'
import { clockText } from '../../ui/timer.tsx'
import './call/call.css'

type PastCall = ScreenPop['lastCalls'][number]

/** Calls that have ended, the newest first. */
export function PastCalls({
  calls,
  label,
  empty,
}: {
  readonly calls: readonly PastCall[]
  readonly label: string
  readonly empty: string
}) {
  const texts = useCallTexts()
  const { time } = useFormats()
  if (calls.length === 0) return <p className="desk-none">{empty}</p>
  return (
    <ul className="desk-past" aria-label={label}>
      {calls.map(({ id, direction, startedAt, durationSeconds, disposition, status, notes }) => (
        <li key={id}>
          {direction === 'OUTBOUND' ? (
            <PhoneOutgoing role="img" aria-label={texts.OUTBOUND} />
          ) : (
            <PhoneIncoming role="img" aria-label={texts.INBOUND} />
          )}
          <div>
            <p>
              <span className="desk-strong">{disposition ?? (status === 'MISSED' ? texts.MISSED : texts.noOutcome)}</span>
              {notes !== null && notes !== '' && <span className="desk-note"> {notes}</span>}
            </p>
          </div>
          <p className="desk-past-when numbers">
            {startedAt !== null && <time dateTime={startedAt}>{time(startedAt)}</time>}
            {durationSeconds !== null && durationSeconds > 0 && <span>{clockText(durationSeconds)}</span>}
          </p>
        </li>
      ))}
    </ul>
  )
}
