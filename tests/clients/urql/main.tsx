import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'urql'
import { SignedIn } from '../shared/sign-in.tsx'
import { createClient } from './client.ts'
import { Desk } from './desk.tsx'

/** Mounted anew for each sign-in, so that nobody sees another person's cache. */
function Page() {
  const [client] = useState(createClient)
  return (
    <Provider value={client}>
      <Desk />
    </Provider>
  )
}

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <SignedIn>
        <Page />
      </SignedIn>
    </StrictMode>,
  )
