import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Where the panel fills the screen, and nothing else can be used beside it. */
const small = '(max-width: 520px), (max-height: 440px)'

type PanelProps = {
  readonly isOpen: boolean
  readonly titleId: string
  /** What is shown; the focus goes to its beginning whenever that changes. */
  readonly shown: string
  /** False when a reloaded page opens the widget again. */
  readonly takesFocus: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** The window of the widget: a dialog beside the page, and on a phone one over it, which keeps the focus in. Escape closes it. */
export function Panel({ isOpen, titleId, shown, takesFocus, onClose, children }: PanelProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const isSmall = useMedia(small)
  useVisibleHeight(dialog, isSmall)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element || !isOpen) return
    if (isSmall) element.showModal()
    else element.setAttribute('open', '')
    return () => element.close()
  }, [isOpen, isSmall])
  useEffect(() => {
    if (!isOpen || !takesFocus) return
    // On a phone a focused field would bring up the keyboard over the greeting.
    const choices = isSmall ? ['.view-title', '.title'] : ['.layer:not([hidden]) textarea', '.view-title']
    const found = choices.map((choice) => dialog.current?.querySelector<HTMLElement>(choice))
    found.find((element) => element)?.focus({ preventScroll: true })
  }, [isOpen, shown])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </dialog>
  )
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const update = (): void => setMatches(list.matches)
    list.addEventListener('change', update)
    return () => list.removeEventListener('change', update)
  }, [query])
  return matches
}

/** A phone's keyboard covers the page without making it smaller: the dialog then takes only what is seen. */
function useVisibleHeight(dialog: { readonly current: HTMLDialogElement | null }, isSmall: boolean): void {
  useEffect(() => {
    const { visualViewport: viewport } = globalThis
    if (!viewport || !isSmall) return
    const fit = (): void => {
      dialog.current?.style.setProperty('--visible', `${viewport.height}px`)
      dialog.current?.style.setProperty('--above', `${viewport.offsetTop}px`)
    }
    fit()
    viewport.addEventListener('resize', fit)
    viewport.addEventListener('scroll', fit)
    return () => {
      viewport.removeEventListener('resize', fit)
      viewport.removeEventListener('scroll', fit)
    }
  }, [isSmall])
}
