import { PhoneOff } from 'lucide-react'
import { useEffect } from 'react'
import { service } from '../data/service-client.ts'
import type { Over } from '../session/session.ts'
import { useStore } from '../state/store.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { spacedNumber } from '../ui/phone-number.tsx'
import { useOwnPresence } from './agent-state.ts'
import { useCallInProgress } from './calls.ts'
import { readUcid } from './kept-dialog.ts'
import { PhoneButtons } from './phone-buttons.tsx'
import { phoneCommands, usePhone } from './phone-state.ts'
import { usePhoneTexts } from './phone-texts.ts'

/** In place of every screen: the sign-in is over, and only the sound of this tab's call is left. */
export function SoundOnly({ over }: { readonly over: Over }) {
  const texts = usePhoneTexts()
  const commands = useStore(phoneCommands)
  const { call } = usePhone()
  useEffect(() => {
    // A reload could not bring the call back.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return (
    <main className="phone-only">
      <Page title={over.loss === 'TAKEN_OVER' ? texts.wentOn : texts.signedOut} lead={texts.soundOnly}>
        {call && call.phase !== 'RINGING' && (
          <div className="ui-actions">
            <span className="numbers">{spacedNumber(call.number)}</span>
            <Button look="danger" icon={<PhoneOff />} onPress={() => void commands?.hangUp()}>
              {texts.hangUp}
            </Button>
            <PhoneButtons />
          </div>
        )}
      </Page>
    </main>
  )
}

/** The call began before this session, and its sound did not come here: it is on the device that the agent left. */
export function SoundElsewhere() {
  const texts = usePhoneTexts()
  const { registration, call: own, loss } = usePhone()
  const call = useCallInProgress()
  const beganAt = service.agentSession?.lockedAt ?? ''
  const isEarlier = call !== null && call.startedAt !== null && Date.parse(call.startedAt) < Date.parse(beganAt)
  // Who hung up where the sound was may have left the call to others: the provider does not say so.
  const hasLeft = useOwnPresence()?.state === 'WRAP_UP'
  const isHere = own !== null || loss !== null || call?.ucid === readUcid()
  if (!isEarlier || isHere || hasLeft || registration === 'ELSEWHERE' || registration === 'NONE') return null
  const advice = call.phase === 'RINGING' ? texts.ringsElsewhereAdvice : texts.soundElsewhereAdvice
  return (
    <div className="phone-message">
      <Notice tone="warn" role="status" title={call.phase === 'RINGING' ? texts.ringsElsewhere : texts.soundElsewhere}>
        <p>{advice}</p>
        <p>{call.actions.length > 0 ? texts.providerCan : texts.providerCannot}</p>
      </Notice>
    </div>
  )
}
