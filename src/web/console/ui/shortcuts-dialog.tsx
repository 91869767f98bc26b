import { Dialog } from './dialog.tsx'
import type { Shortcut } from './shortcut.ts'
import './shortcuts.css'

type ShortcutsDialogProps = { readonly title: string; readonly shortcuts: readonly Shortcut[]; readonly onClose: () => void }

/** The keys that work now. */
export function ShortcutsDialog({ title, shortcuts, onClose }: ShortcutsDialogProps) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <dl className="ui-shortcuts">
        {shortcuts.map(({ keys, label }) => (
          <div key={`${keys} ${label}`}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
