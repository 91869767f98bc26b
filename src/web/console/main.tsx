import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles/tokens.css'
import './styles/base.css'
import './styles/scheme.ts'
import { App } from './app/app.tsx'
import { resumeSession } from './session/session.ts'

const root = document.querySelector('#root')
if (!root) throw new Error('The page has no #root')
// After an update of the service the files of this page are gone: the new page has the new ones.
addEventListener('vite:preloadError', () => location.reload())
void resumeSession()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
