import { createClient, type SavedSession, webStore } from '@call-center-sidecar/client'
import { stringifyDocument } from 'urql'

/** The service that the page came from. All requests of the console go through this client: it renews tokens and the agent session. */
export const sessionKey = 'call-center-sidecar'
const stored = webStore(localStorage, sessionKey)
export const service = createClient({
  url: location.origin,
  // All tabs share one sign-in. The refresh token is in a cookie, out of reach for scripts.
  sessionPath: '/console/session',
  store: { ...stored, read: async () => withoutRefreshToken(await stored.read()) },
  print: stringifyDocument,
  openStream: async (...given) => (await import('./web-socket.ts')).openOverWebSocket(...given),
})

/** An earlier console stored one. */
async function withoutRefreshToken(saved: SavedSession | null): Promise<SavedSession | null> {
  if (!saved || saved.refreshToken === '') return saved
  const own = { ...saved, refreshToken: '' }
  await stored.write(own)
  return own
}
