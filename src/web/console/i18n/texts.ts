import { useStore } from '../state/store.ts'
import { type Language, languageStore } from './language.ts'

type Text = string | ((...values: never[]) => string)
type Texts = Readonly<Record<string, Text>>
/** The same texts, with the same values, in another language. */
type Translated<English extends Texts> = {
  readonly [Name in keyof English]: English[Name] extends (...values: infer Values) => string ? (...values: Values) => string : string
}
export type TextsInAllLanguages<English extends Texts> = { readonly en: English; readonly hi: Translated<English> }

/**
 * The texts of an area, in every language: the compiler refuses a missing one. A text with values is a function. Returns the hook
 * that gives them in the person's language; `useTexts.all` has both, for code outside of components and for tests.
 */
export function defineTexts<English extends Texts>(
  all: TextsInAllLanguages<English>,
): (() => Translated<English>) & {
  readonly all: TextsInAllLanguages<English>
} {
  const useTexts = (): Translated<English> => textsIn(all, useStore(languageStore))
  return Object.assign(useTexts, { all })
}

function textsIn<English extends Texts>(all: TextsInAllLanguages<English>, language: Language): Translated<English>
function textsIn<English extends Texts>(all: TextsInAllLanguages<English>, language: Language): unknown {
  return all[language]
}
