import { useState } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { useCallSettings } from '../../../phone/agent-state.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { showToast } from '../../../ui/toast.ts'
import { useActionTexts } from './action-texts.ts'
import { changeState } from './actions.ts'
import type { AgentRow } from './overview.ts'
import { MessageField } from './message-field.tsx'

export type ActionProps = {
  readonly agent: Pick<AgentRow, 'id' | 'agentName' | 'state'>
  readonly onBack: () => void
  readonly onDone: () => void
}

/** `READY`, or the reason of a break behind a colon; `:` alone asks for one. */
const ready = 'READY'

/** Asks for an agent's new state and a message, then changes it. */
export function NewState({ agent: { id, agentName, state }, onBack, onDone }: ActionProps) {
  const texts = useActionTexts()
  const { notReadyReasons } = useCallSettings()
  const { run, isPending } = useAction(changeState)
  const [choice, setChoice] = useState<string | null>(state === 'READY' ? null : ready)
  const [ownReason, setOwnReason] = useState('')
  const [message, setMessage] = useState('')
  const breaks = notReadyReasons.map((reason) => ({ value: `:${reason}`, label: texts.notReady(reason) }))
  const others = breaks.length > 0 ? breaks : [{ value: ':', label: texts.otherReason }]
  const reason = choice === ':' ? ownReason.trim() : (choice?.slice(1) ?? '')
  const isComplete = choice === ready || (choice !== null && reason !== '')
  const change = async (): Promise<void> => {
    const input = choice === ready ? ({ state: 'READY' } as const) : ({ state: 'NOT_READY', reason } as const)
    if (!(await run({ agentId: id, input, message: message.trim() || null }))) return
    showToast({ tone: 'good', title: texts.changed(agentName) })
    onDone()
  }
  const actions = (
    <>
      <Button look="quiet" onPress={onBack}>
        {texts.back}
      </Button>
      <Button look="primary" isPending={isPending} isDisabled={!isComplete} onPress={() => void change()}>
        {texts.change}
      </Button>
    </>
  )
  return (
    <Dialog title={texts.changeTitle(agentName)} isOpen onClose={onDone} actions={actions}>
      <Select label={texts.newState} options={[{ value: ready, label: texts.ready }, ...others]} value={choice} onChange={setChoice} />
      {choice === ':' && <Field label={texts.reason} value={ownReason} onChange={setOwnReason} maxLength={100} />}
      <MessageField label={texts.message(agentName)} value={message} onChange={setMessage} />
    </Dialog>
  )
}
