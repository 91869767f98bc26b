/** Calls `open` for clicks on the page's own elements with `data-widget-open`; `wantsVisit` for `data-widget-open="book"`. */
export function onOpeners(open: (from: HTMLElement, wantsVisit: boolean) => void): () => void {
  const onClick = (event: MouseEvent): void => {
    const { target } = event
    const from = target instanceof Element ? target.closest<HTMLElement>('[data-widget-open]') : null
    if (!from) return
    event.preventDefault()
    open(from, from.dataset['widgetOpen'] === 'book')
  }
  document.addEventListener('click', onClick)
  return () => document.removeEventListener('click', onClick)
}
