import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { createStore, useStore } from '../state/store.ts'
import type { Shortcut } from './shortcut.ts'

const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog }) => ({ default: ShortcutsDialog })))

const registered = createStore<readonly Shortcut[]>([])
const isListOpen = createStore(false)
/** Between two keys of a sequence. */
const sequenceMs = 1_200

/** Shortcuts that work as long as the component is on the screen, unless the person types. `?` lists them. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  // With the button that it is for: a key pressed at once counts.
  useLayoutEffect(() => {
    registered.set([...registered.get(), ...shortcuts])
    return () => registered.set(registered.get().filter((one) => !shortcuts.includes(one)))
  }, [shortcuts])
}

/** The same as `?`, for people who do not know it. */
export function listShortcuts(): void {
  isListOpen.set(true)
}

/** Listens to the keys and shows the list. Once, in the shell. */
export function ShortcutsHelp({ title }: { readonly title: string }) {
  const isOpen = useStore(isListOpen)
  const shortcuts = useStore(registered)
  useEffect(() => {
    let before: { readonly key: string; readonly at: number } | null = null
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return
      // What has the focus used it: a button, a slider.
      if (event.defaultPrevented) return
      if (event.key === '?') return listShortcuts()
      const last = before && event.timeStamp - before.at < sequenceMs ? `${before.key} ` : ''
      before = { key: event.key, at: event.timeStamp }
      const matching = (wanted: string) => registered.get().findLast(({ keys }) => keys === wanted)
      // A sequence that is complete wins over its last key alone.
      const found = matching(`${last}${event.key}`) ?? matching(event.key)
      if (!found) return
      before = null
      event.preventDefault()
      found.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  if (!isOpen) return null
  return (
    <Suspense>
      <ShortcutsDialog title={title} shortcuts={shortcuts} onClose={() => isListOpen.set(false)} />
    </Suspense>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role="listbox"], [role="menu"], [role="dialog"]') !== null
  )
}
