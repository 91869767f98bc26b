import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { RelayEnvironmentProvider } from 'react-relay'
import { SignedIn } from '../shared/sign-in.tsx'
import { createEnvironment } from './environment.ts'
import { Desk } from './desk.tsx'

/** Mounted anew for each sign-in, so that nobody sees another person's cache. */
function Page() {
  const [environment] = useState(createEnvironment)
  return (
    <RelayEnvironmentProvider environment={environment}>
      <Desk />
    </RelayEnvironmentProvider>
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
