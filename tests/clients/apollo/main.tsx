import { ApolloProvider } from '@apollo/client/react'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { SignedIn } from '../shared/sign-in.tsx'
import { createClient } from './client.ts'
import { Desk } from './desk.tsx'
import { createSocketLink } from './socket-link.ts'
import { createSseLink } from './sse-link.ts'

const live = location.search === '?sse' ? createSseLink() : createSocketLink()

/** Mounted anew for each sign-in, so that nobody sees another person's cache. */
function Page() {
  const [client] = useState(() => createClient(live))
  return (
    <ApolloProvider client={client}>
      <Desk />
    </ApolloProvider>
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
