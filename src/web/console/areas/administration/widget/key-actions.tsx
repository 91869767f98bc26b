import { Code, MoreHorizontal, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { showToast } from '../../../ui/toast.ts'
import { deleteKey, rotateKey, type WidgetKey } from './keys.ts'
import { TagFields } from './tag-fields.tsx'
import { useWidgetTexts } from './texts.ts'
import '../rows.css'
import './widget.css'

type Open = { readonly kind: 'TAG'; readonly key: string } | { readonly kind: 'ROTATE' | 'DELETE' } | null

type KeyProps = { readonly widgetKey: WidgetKey }

export function KeyActions({ widgetKey: { key, ...widgetKey } }: KeyProps) {
  const texts = useWidgetTexts()
  const [open, setOpen] = useState<Open>(null)
  const close = (): void => setOpen(null)
  const origins = widgetKey.origins.join(', ')
  const rotate = { id: 'rotate', label: texts.rotate, icon: <RefreshCw />, onAction: () => setOpen({ kind: 'ROTATE' }) }
  const entries = [
    { id: 'tag', label: texts.showTag, icon: <Code />, onAction: () => setOpen({ kind: 'TAG', key }) },
    ...(widgetKey.validUntil === null ? [rotate] : []),
    { id: 'delete', label: texts.remove, icon: <Trash2 />, onAction: () => setOpen({ kind: 'DELETE' }) },
  ]
  return (
    <>
      <Menu
        label={texts.actionsFor(key)}
        look="admin-row-menu"
        trigger={
          <>
            <MoreHorizontal aria-hidden="true" />
            <span className="visually-hidden">{texts.actionsFor(key)}</span>
          </>
        }
        groups={[{ id: key, title: origins, entries }]}
      />
      {open?.kind === 'TAG' && (
        <Dialog title={texts.readyTitle} isOpen onClose={close} actions={<Button onPress={close}>{texts.done}</Button>}>
          <p>{texts.readyText(origins)}</p>
          <TagFields value={open.key} />
        </Dialog>
      )}
      {open?.kind === 'ROTATE' && <Rotate value={key} onRotated={(made) => setOpen({ kind: 'TAG', key: made })} onClose={close} />}
      {open?.kind === 'DELETE' && <Delete value={key} origins={widgetKey.origins} onClose={close} />}
    </>
  )
}

type RotateProps = { readonly value: string; readonly onRotated: (made: string) => void; readonly onClose: () => void }

function Rotate({ value, onRotated, onClose }: RotateProps) {
  const texts = useWidgetTexts()
  const { run, isPending } = useAction(rotateKey)
  const rotate = async (): Promise<void> => {
    const answer = await run({ key: value })
    if (answer) onRotated(answer.rotateWidgetKey.key)
    else onClose()
  }
  return (
    <ConfirmDialog
      title={texts.rotateTitle}
      isOpen
      onClose={onClose}
      action={texts.rotate}
      isPending={isPending}
      onConfirm={() => void rotate()}
    >
      <p>{texts.rotateText}</p>
    </ConfirmDialog>
  )
}

type DeleteProps = { readonly value: string; readonly origins: readonly string[]; readonly onClose: () => void }

function Delete({ value, origins, onClose }: DeleteProps) {
  const texts = useWidgetTexts()
  const { run, isPending } = useAction(deleteKey)
  const remove = async (): Promise<void> => {
    if (await run({ key: value })) showToast({ tone: 'good', title: texts.deleted })
    onClose()
  }
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      isOpen
      onClose={onClose}
      action={texts.remove}
      isPending={isPending}
      onConfirm={() => void remove()}
    >
      <p>{texts.deleteText(origins.length)}</p>
      <p className="admin-origins">{origins.join(', ')}</p>
    </ConfirmDialog>
  )
}
