import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { clockText } from '../../../ui/timer.tsx'
import { AgentCall, AgentState } from './agent-columns.tsx'
import type { AgentRow } from './overview.ts'
import { useActionTexts } from './action-texts.ts'
import { EndSession } from './end-session.tsx'
import { NewState } from './new-state.tsx'

type AgentPanelProps = { readonly agent: AgentRow; readonly onClose: () => void }

/** One agent: what they do now, and what a supervisor can do about it. Each action asks in a dialog of its own. */
export function AgentPanel({ agent, onClose }: AgentPanelProps) {
  const [step, setStep] = useState<'FACTS' | 'STATE' | 'END'>('FACTS')
  const back = (): void => setStep('FACTS')
  if (step === 'STATE') return <NewState agent={agent} onBack={back} onDone={onClose} />
  if (step === 'END') return <EndSession agent={agent} onBack={back} onDone={onClose} />
  return <Facts agent={agent} onClose={onClose} onStep={setStep} />
}

function Facts({ agent, onClose, onStep }: AgentPanelProps & { readonly onStep: (step: 'STATE' | 'END') => void }) {
  const texts = useActionTexts()
  const { number, time } = useFormats()
  const { id, agentName, signedInAt, call, answered, handlingSeconds, state } = agent
  const isOnCall = state === 'ON_CALL'
  const actions = (
    <>
      <Button look="danger" onPress={() => onStep('END')}>
        {`${texts.endSession}…`}
      </Button>
      <Button isDisabled={isOnCall} onPress={() => onStep('STATE')}>
        {`${texts.changeState}…`}
      </Button>
    </>
  )
  return (
    <Dialog title={agentName} isOpen onClose={onClose} actions={actions}>
      <dl className="sup-facts">
        <Fact name={texts.state}>
          <AgentState agent={agent} />
        </Fact>
        <Fact name={texts.call}>
          {call ? (
            <>
              <AgentCall call={call} /> {call.campaignName !== null && texts.withCampaign(call.campaignName)}
            </>
          ) : (
            texts.noCall
          )}
        </Fact>
        <Fact name={texts.signedIn}>
          <time dateTime={signedInAt}>{time(signedInAt)}</time>
        </Fact>
        <Fact name={texts.today}>{number(answered)}</Fact>
        <Fact name={texts.handling}>{handlingSeconds === null ? '–' : clockText(handlingSeconds)}</Fact>
      </dl>
      {isOnCall && <p className="wall-note">{texts.onCall}</p>}
      <p>
        <Link to="/supervisor/days" search={{ agent: id }}>
          {texts.day}
        </Link>
      </p>
    </Dialog>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="numbers">{children}</dd>
    </div>
  )
}
