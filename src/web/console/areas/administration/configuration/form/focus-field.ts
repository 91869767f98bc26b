/** The field of this path, or the nearest one around it. The setup has several forms, one of them on the screen. */
export function focusField(path: string): void {
  const row = [...document.querySelectorAll(`[data-field="${CSS.escape(path)}"]`)].find((one) => one.closest('[hidden]') === null)
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
