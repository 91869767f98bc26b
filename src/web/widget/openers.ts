/** Elements of the page itself that open the widget: `data-widget-open`, or `data-widget-open="book"` for the way to a visit. */
export function onOpeners(open: (from: HTMLElement, wantsVisit: boolean) => void): () => void {
  const look = (event: MouseEvent): void => {
    const { target } = event
    const from = target instanceof Element ? target.closest<HTMLElement>('[data-widget-open]') : null
    if (!from) return
    event.preventDefault()
    open(from, from.dataset['widgetOpen'] === 'book')
  }
  document.addEventListener('click', look)
  return () => document.removeEventListener('click', look)
}
