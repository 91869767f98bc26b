/** A piece of markup that is safe to send: every text that went into it was escaped. */
export type Html = { readonly markup: string }
type Value = string | number | Html | readonly Html[] | null

/** Markup from a template. Texts are escaped, pieces of markup are inserted unchanged, null inserts nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: strings.reduce((before, part, index) => `${before}${markupOf(values[index - 1] ?? null)}${part}`) }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function markupOf(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string' || typeof value === 'number')
    return String(value).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}
