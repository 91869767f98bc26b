import { useBlocker } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useConfigurationTexts } from './texts.ts'

/** Asks before changes are lost: within the console by a dialog, else by the browser's own question. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const texts = useConfigurationTexts()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <Dialog
      role="alertdialog"
      title={texts.leaveTitle}
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      actions={
        <>
          <Button look="danger" onPress={() => proceed?.()}>
            {texts.leave}
          </Button>
          <Button look="primary" autoFocus onPress={() => reset?.()}>
            {texts.stay}
          </Button>
        </>
      }
    >
      <p>{texts.leaveText}</p>
    </Dialog>
  )
}
