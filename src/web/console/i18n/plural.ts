import type { Language } from './language.ts'

const rules = { en: new Intl.PluralRules('en'), hi: new Intl.PluralRules('hi') }

/** The form of a text for this number: `plural('en', count, { one: '1 call', other: `${count} calls` })`. In Hindi, 0 is `one` too. */
export function plural(language: Language, count: number, { one, other }: { readonly one: string; readonly other: string }): string {
  return rules[language].select(count) === 'one' ? one : other
}
