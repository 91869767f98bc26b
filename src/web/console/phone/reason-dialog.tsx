import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import type { StateChoice } from './agent-state.ts'
import { useStateTexts } from './state-texts.ts'

type ReasonDialogProps = { readonly onClose: () => void; readonly onChoose: (choice: StateChoice) => void }

/** For a workspace that has no list of reasons: the provider decides which it takes. */
export function ReasonDialog({ onClose, onChoose }: ReasonDialogProps) {
  const texts = useStateTexts()
  const [reason, setReason] = useState('')
  const choose = (): void => {
    if (reason.trim() === '') return
    onClose()
    onChoose({ state: 'NOT_READY', reason: reason.trim() })
  }
  return (
    <Dialog
      title={texts.NOT_READY}
      isOpen
      onClose={onClose}
      onSubmit={choose}
      actions={
        <Button look="primary" type="submit" isDisabled={reason.trim() === ''}>
          {texts.pause}
        </Button>
      }
    >
      <Field label={texts.reason} value={reason} onChange={setReason} maxLength={100} />
    </Dialog>
  )
}
