import { type Client, createClient, ServiceError, webStore } from '../../packages/client/src/client.ts'

/** What the test of the typed client runs in a browser, step by step. */
let client: Client | null = null
const events: string[] = []
const states: string[] = []

export type Place = { readonly url: string; readonly email: string; readonly password: string }

export async function signIn({ url, email, password }: Place): Promise<unknown> {
  client = createClient({ url, store: webStore(sessionStorage) })
  const { role, session } = await client.signIn({ email, password, workspace: 'demo' })
  return { role, isLocked: session !== null }
}

/** After a reload of the page. */
export async function resume({ url }: Pick<Place, 'url'>): Promise<unknown> {
  client = createClient({ url, store: webStore(sessionStorage) })
  const me = await client.resume()
  return { role: me?.role, isLocked: client.agentSession !== null }
}

export function follow(): void {
  const read = async (): Promise<void> => {
    for await (const { callEvents } of signedIn().subscribe(
      { callEvents: { kind: true, call: { ucid: true } } },
      { onState: (state) => states.push(state) },
    )) {
      events.push(callEvents.call.ucid)
    }
    states.push('ENDED')
  }
  read().catch((error: unknown) => states.push(String(error)))
}

export function followed(): { readonly events: readonly string[]; readonly states: readonly string[] } {
  return { events, states }
}

/** Several requests at once: by selection, document and path. */
export async function ask(): Promise<unknown> {
  const [selected, own, rest] = await Promise.all([
    signedIn().query({ me: { role: true, user: { email: true } }, callSettings: { capabilities: true } }),
    signedIn().execute('query First($first: Int) { leads(first: $first) { edges { node { id } } } }', { first: 1 }),
    signedIn().rest('GET /auth/me'),
  ])
  return { role: selected.me.role, email: rest.user.email, own }
}

export async function dialNobody(): Promise<unknown> {
  const dial = signedIn().mutate({ dial: { $: { input: { phoneNumber: 'nobody' } }, ucid: true } })
  return dial.then(
    () => null,
    (error: unknown) => (error instanceof ServiceError ? { code: error.code, path: error.data?.fields?.[0]?.path } : String(error)),
  )
}

export async function listen({ callId }: { readonly callId: string }): Promise<unknown> {
  const audio = await signedIn().rest('GET /api/recordings/{callId}/audio', { path: { callId } })
  return { type: audio.headers.get('content-type'), bytes: (await audio.arrayBuffer()).byteLength }
}

export async function signOut(): Promise<unknown> {
  const { released } = await signedIn().signOut()
  return { released, stored: sessionStorage.length }
}

function signedIn(): Client {
  if (!client) throw new Error('Sign in first')
  return client
}
