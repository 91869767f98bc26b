import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SessionStore } from './session.ts'

export type Opening = {
  readonly isOpen: boolean
  /** Whether the panel was open since the page was loaded. */
  readonly wasOpened: boolean
  /** False when a reloaded page opens the widget again. */
  readonly takesFocus: boolean
  readonly launcher: RefObject<HTMLButtonElement | null>
  /** `from`: the element that gets the focus back when the widget closes; null for the launcher. */
  readonly open: (from: HTMLElement | null) => void
  readonly close: () => void
  readonly takeFocus: () => void
}

/** Whether the widget is open, and where the focus goes. */
export function useOpening(session: SessionStore): Opening {
  const [isOpen, setIsOpen] = useState(session.read().isOpen)
  const [wasOpened, setWasOpened] = useState(isOpen)
  const [takesFocus, setTakesFocus] = useState(false)
  const opener = useRef<HTMLElement | null>(null)
  const launcher = useRef<HTMLButtonElement>(null)
  useEffect(() => session.write({ isOpen }), [isOpen])
  useEffect(() => {
    if (isOpen || !takesFocus) return
    const target = opener.current?.isConnected ? opener.current : launcher.current
    target?.focus()
  }, [isOpen])
  return {
    isOpen,
    wasOpened,
    takesFocus,
    launcher,
    open(from) {
      opener.current = from
      setTakesFocus(true)
      setWasOpened(true)
      setIsOpen(true)
    },
    close: () => setIsOpen(false),
    takeFocus: () => setTakesFocus(true),
  }
}
