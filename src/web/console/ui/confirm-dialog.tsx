import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useUiTexts } from './texts.ts'

type ConfirmDialogProps = {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The name of the button that does it. */
  readonly action: string
  readonly isPending: boolean
  readonly onConfirm: () => void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, children, isOpen, onClose, action, isPending, onConfirm }: ConfirmDialogProps) {
  const texts = useUiTexts()
  return (
    <Dialog
      role="alertdialog"
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button look="quiet" onPress={onClose}>
            {texts.cancel}
          </Button>
          <Button look="danger" isPending={isPending} onPress={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
