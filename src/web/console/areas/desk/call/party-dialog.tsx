import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { useDeskTexts } from './texts.ts'

type PartyDialogProps = {
  readonly kind: 'TRANSFER' | 'CONFERENCE' | null
  readonly onClose: () => void
  /** Whether the provider took it. */
  readonly onCall: (number: string) => Promise<boolean>
}

/** Whom to call into the call. */
export function PartyDialog({ kind, onClose, onCall }: PartyDialogProps) {
  const texts = useDeskTexts()
  const [number, setNumber] = useState('')
  const [isPending, setPending] = useState(false)
  const call = async (): Promise<void> => {
    if (isPending || number.trim() === '') return
    setPending(true)
    if (await onCall(number.trim())) {
      setNumber('')
      onClose()
    }
    setPending(false)
  }
  return (
    <Dialog
      title={kind === 'CONFERENCE' ? texts.addPerson : texts.transfer}
      isOpen={kind !== null}
      onClose={onClose}
      onSubmit={() => void call()}
      actions={
        <Button look="primary" type="submit" isPending={isPending} isDisabled={number.trim() === ''}>
          {kind === 'CONFERENCE' ? texts.callThem : texts.callFirst}
        </Button>
      }
    >
      <p>{kind === 'CONFERENCE' ? texts.conferenceAdvice : texts.transferAdvice}</p>
      <Field label={texts.theirNumber} type="tel" autoFocus value={number} onChange={setNumber} maxLength={40} />
    </Dialog>
  )
}
