import { type ReactNode } from 'react'
import { chooseLanguage, languageNames, languages, languageStore } from '../i18n/language.ts'
import { useStore } from '../state/store.ts'
import { Mark } from './mark.tsx'
import { useEntranceTexts } from './entrance-texts.ts'
import './entrance.css'

/** The frame of what is shown before somebody is signed in. */
export function Entrance({ children }: { readonly children: ReactNode }) {
  const texts = useEntranceTexts()
  const language = useStore(languageStore)
  return (
    <div className="entrance">
      <main className="entrance-card">
        <Mark />
        {children}
      </main>
      <nav className="entrance-languages" aria-label={texts.language}>
        {languages.map((one) => (
          <button key={one} type="button" lang={one} aria-pressed={one === language} onClick={() => chooseLanguage(one)}>
            {languageNames[one]}
          </button>
        ))}
      </nav>
    </div>
  )
}
