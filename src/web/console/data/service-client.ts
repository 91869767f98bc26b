import { createClient, webStore } from '@call-center-sidecar/client'
import { stringifyDocument } from 'urql'

/** The service that the page came from. All requests of the console go through this client: it renews tokens and the agent session. */
export const sessionKey = 'call-center-sidecar'
export const service = createClient({
  url: location.origin,
  // All tabs share one sign-in.
  store: webStore(localStorage, sessionKey),
  print: stringifyDocument,
  openStream: async (...given) => (await import('./web-socket.ts')).openOverWebSocket(...given),
})
