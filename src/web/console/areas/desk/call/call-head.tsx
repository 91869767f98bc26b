import { PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import type { Lead } from '../../../phone/caller.ts'
import { type Call, isInProgress } from '../../../phone/calls.ts'
import { useCallTexts } from '../../../phone/call-texts.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { shownNumber, spacedNumber } from '../../../ui/phone-number.tsx'
import { clockText, Timer } from '../../../ui/timer.tsx'
import { CallControls } from './call-controls.tsx'
import { useDeskTexts } from './texts.ts'

const tones = { RINGING: 'warn', ANSWERED: 'good', COMPLETED: 'neutral', MISSED: 'bad' } as const satisfies Record<string, Tone>

/** Who, how far, how long, and the buttons. */
export function CallHead({ call, lead }: { readonly call: Call; readonly lead: Lead | null }) {
  const [texts, desk] = [useCallTexts(), useDeskTexts()]
  const Direction = call.direction === 'INBOUND' ? PhoneIncoming : PhoneOutgoing
  const number = shownNumber(call) ?? texts.withheld
  const isHeld = call.controls.held && isInProgress(call)
  return (
    <section className="desk-call-head" data-phase={call.phase} aria-label={texts.from(lead?.name ?? number)}>
      <div className="desk-call-who">
        <span className="desk-call-direction" role="img" aria-label={texts[call.direction]}>
          <Direction aria-hidden="true" />
        </span>
        <div>
          <h2>{lead?.name ?? number}</h2>
          <p className="numbers">
            {[lead ? number : null, call.campaignName, call.did === null ? null : desk.via(spacedNumber(call.did))]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      </div>
      <div className="desk-call-state">
        <Badge tone={isHeld ? 'warn' : tones[call.phase]} hasDot>
          {isHeld ? desk.held : texts[call.phase]}
        </Badge>
        <Duration call={call} />
      </div>
      <CallControls call={call} />
    </section>
  )
}

function Duration({ call }: { readonly call: Call }) {
  const since = call.answeredAt ?? call.startedAt
  if (since === null) return null
  if (isInProgress(call)) return <Timer since={since} />
  const seconds = Math.max(0, Math.round((Date.parse(call.endedAt ?? since) - Date.parse(since)) / 1_000))
  return <span className="numbers">{clockText(seconds)}</span>
}
