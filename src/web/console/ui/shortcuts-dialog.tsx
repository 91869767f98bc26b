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
              {keysIn(keys).map((key) => (
                <kbd key={key}>{signs[key] ?? key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Keys whose names are words. */
const signs: Readonly<Record<string, string>> = { ' ': '␣', ArrowLeft: '←', ArrowRight: '→' }

function keysIn(keys: string): readonly string[] {
  return keys === ' ' ? [keys] : keys.split(' ')
}
