import { createStore } from '../state/store.ts'
import { storedChoice } from '../state/stored-choice.ts'

export const languages = ['en', 'hi'] as const
export type Language = (typeof languages)[number]
/** How each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', hi: 'हिन्दी' }

const stored = storedChoice('console-language', languages)

function preferred(): Language {
  const wanted = navigator.languages.map((name) => name.split('-', 1)[0])
  return wanted.flatMap((name) => languages.filter((language) => language === name))[0] ?? 'en'
}

export const languageStore = createStore<Language>(stored.read() ?? preferred())

export function chooseLanguage(language: Language): void {
  stored.write(language)
  languageStore.set(language)
}

/** The page says its language, for screen readers and hyphenation. */
export function markLanguage(): void {
  const mark = (): void => void (document.documentElement.lang = languageStore.get())
  mark()
  languageStore.subscribe(mark)
}
