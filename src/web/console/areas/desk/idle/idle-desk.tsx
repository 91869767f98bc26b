import { Headset, Phone, PhoneIncoming } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { consoleSettings } from '../../../data/settings.ts'
import { useCallSettings, useOwnPresence, useStateChange } from '../../../phone/agent-state.ts'
import { useDial } from '../../../phone/dial.tsx'
import { Button } from '../../../ui/button.tsx'
import { useMember } from '../../../session/session.ts'
import { Field } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { showToast } from '../../../ui/toast.ts'
import { DueCallbacks } from './due-callbacks.tsx'
import { letCustomerCall } from './let-customer-call.ts'
import { useIdleTexts } from './texts.ts'
import './idle.css'

/** No call: whether the next one comes, and a number to call. */
export function IdleDesk() {
  const texts = useIdleTexts()
  const presence = useOwnPresence()
  const { capabilities } = useCallSettings()
  const isReady = presence?.state === 'READY'
  return (
    <div className="desk-idle">
      <Card>
        <EmptyState icon={<Headset />} title={isReady ? texts.waiting : texts.notWaiting}>
          {isReady ? <p>{texts.waitingText}</p> : <BecomeReady />}
          <p>
            <Link to="/desk/callbacks">{texts.seeCallbacks}</Link>
          </p>
        </EmptyState>
      </Card>
      {capabilities.includes('DIAL') && <DialCard />}
      {consoleSettings.demo?.rings === true && <TestCallCard isReady={isReady} />}
      {/* Last: it comes late, and must not move what somebody is about to press. */}
      <DueCallbacks />
    </div>
  )
}

function BecomeReady() {
  const texts = useIdleTexts()
  const { change, isPending } = useStateChange()
  return (
    <Button look="primary" isPending={isPending} onPress={() => void change({ state: 'READY' })}>
      {texts.becomeReady}
    </Button>
  )
}

function DialCard() {
  const texts = useIdleTexts()
  const [number, setNumber] = useState('')
  const { dial, isPending } = useDial()
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (number.trim() !== '' && !isPending) void dial(number.trim()).then((isDone) => isDone && setNumber(''))
  }
  return (
    <Card>
      <form className="desk-dial" onSubmit={submit}>
        <Field label={texts.dialLabel} type="tel" autoComplete="off" value={number} onChange={setNumber} maxLength={40} />
        <Button type="submit" icon={<Phone />} isPending={isPending} isDisabled={number.trim() === ''}>
          {texts.call}
        </Button>
      </form>
    </Card>
  )
}

/** The sandbox has no customers who call by themselves. */
function TestCallCard({ isReady }: { readonly isReady: boolean }) {
  const texts = useIdleTexts()
  const member = useMember()
  const [isPending, setPending] = useState(false)
  const ring = (): void => {
    setPending(true)
    void letCustomerCall(member)
      .then((rings) => !rings && showToast({ tone: 'bad', title: texts.noTestCall }))
      .finally(() => setPending(false))
  }
  return (
    <Card>
      <div className="desk-test-call">
        <p>{isReady ? texts.testCallText : texts.testCallNeedsReady}</p>
        <Button icon={<PhoneIncoming />} isPending={isPending} isDisabled={!isReady} onPress={ring}>
          {texts.testCall}
        </Button>
      </div>
    </Card>
  )
}
