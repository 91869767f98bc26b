import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles/tokens.css'
import './styles/base.css'
import './styles/scheme.ts'
import { App } from './app/app.tsx'
import { markLanguage } from './i18n/language.ts'
import { markMissingPart } from './phone/missing-part.ts'
import { resumeSession } from './session/session.ts'

const root = document.querySelector('#root')
if (!root) throw new Error('The page has no #root')
markLanguage()
addEventListener('vite:preloadError', markMissingPart)
void resumeSession()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
