import { X } from 'lucide-react'
import type { ReactNode, SyntheticEvent } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from './button.tsx'
import { useUiTexts } from './texts.ts'
import './dialog.css'

export type DialogProps = {
  readonly title: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the end, the primary one last. */
  readonly actions?: ReactNode
  /** For a dialog that interrupts the person's work. */
  readonly role?: 'dialog' | 'alertdialog'
  /** For tables. */
  readonly isWide?: boolean
  /** For a dialog that is a form: Enter in a field, and its button with `type="submit"`. */
  readonly onSubmit?: () => void
}

export function Dialog({ title, isOpen, onClose, children, actions, role = 'dialog', isWide = false, onSubmit }: DialogProps) {
  const texts = useUiTexts()
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    onSubmit?.()
  }
  const content = (
    <>
      <div className="ui-dialog-body">{children}</div>
      {actions !== undefined && <footer className="ui-dialog-actions">{actions}</footer>}
    </>
  )
  return (
    <ModalOverlay className="ui-shade" isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable={role === 'dialog'}>
      <Modal className={isWide ? 'ui-modal ui-modal-wide' : 'ui-modal'}>
        <AriaDialog className="ui-dialog" role={role}>
          <header className="ui-dialog-head">
            <Heading slot="title">{title}</Heading>
            {role === 'dialog' && <Button look="quiet" size="s" icon={<X />} aria-label={texts.close} onPress={onClose} />}
          </header>
          {onSubmit ? (
            <form className="ui-dialog-form" onSubmit={submit}>
              {content}
            </form>
          ) : (
            content
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
