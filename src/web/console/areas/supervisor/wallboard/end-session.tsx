import { useState } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toast.ts'
import { useActionTexts } from './action-texts.ts'
import { endSession } from './actions.ts'
import { MessageField } from './message-field.tsx'
import type { ActionProps } from './new-state.tsx'

/** Asks why, then ends an agent's session. */
export function EndSession({ agent: { id, agentName }, onBack, onDone }: ActionProps) {
  const texts = useActionTexts()
  const { run, isPending } = useAction(endSession)
  const [reason, setReason] = useState('')
  const end = async (): Promise<void> => {
    const done = await run({ agentId: id, reason: reason.trim() })
    if (!done) return
    const { providerSignedOut } = done.releaseAgentSession
    showToast(
      providerSignedOut
        ? { tone: 'good', title: texts.ended(agentName) }
        : { tone: 'warn', title: texts.ended(agentName), text: texts.phoneRemains },
    )
    onDone()
  }
  const actions = (
    <>
      <Button look="quiet" onPress={onBack}>
        {texts.back}
      </Button>
      <Button look="danger" isPending={isPending} isDisabled={reason.trim() === ''} onPress={() => void end()}>
        {texts.end}
      </Button>
    </>
  )
  return (
    <Dialog title={texts.endTitle(agentName)} isOpen onClose={onDone} actions={actions} role="alertdialog">
      <p>{texts.endText}</p>
      <MessageField label={texts.message(agentName)} value={reason} onChange={setReason} isRequired />
    </Dialog>
  )
}
