/** The field of this path, or the nearest one around it. */
export function focusField(path: string): void {
  const row = document.querySelector(`[data-field="${CSS.escape(path)}"]`)
  if (!row) {
    const around = path.split('.').slice(0, -1).join('.')
    if (around !== '') focusField(around)
    return
  }
  row.closest('details')?.setAttribute('open', '')
  row.scrollIntoView({ block: 'center' })
  const control = row.querySelector('input:not([type=color]), textarea, button')
  if (control instanceof HTMLElement) control.focus()
}
