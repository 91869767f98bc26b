import { isExpired, type ServiceError } from './failure.ts'

/** Tokens of the signed-in member. They survive a reload of the tab, and end with it. */
type Session = Tokens & { readonly lockedAt: string | null; readonly heartbeatSeconds: number }
type Tokens = { readonly access: string; readonly refresh: string }
type TokenPair = { readonly accessToken: { readonly token: string }; readonly refreshToken: { readonly token: string } }
type SignIn = {
  readonly tokens: TokenPair
  readonly session: { readonly lockedAt: string; readonly heartbeatIntervalSeconds: number } | null
}

export const endpoint = `${import.meta.env.VITE_SERVICE_URL}/graphql`

const stored = sessionStorage.getItem('session')
let session: Session | null = stored === null ? null : (JSON.parse(stored) as Session)
const listeners = new Set<() => void>()

export const isSignedIn = (): boolean => session !== null
export const accessToken = (): string => session?.access ?? ''
export const heartbeatSeconds = (): number => session?.heartbeatSeconds ?? 60

export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export async function signIn(email: string, password: string): Promise<void> {
  const document = `mutation SignIn($input: AgentLoginInput!) {
    agentLogin(input: $input) {
      tokens { accessToken { token } refreshToken { token } }
      session { lockedAt heartbeatIntervalSeconds }
    }
  }`
  const { agentLogin } = await send<{ agentLogin: SignIn }>(document, { input: { email, password, workspace: 'demo' } })
  const { lockedAt = null, heartbeatIntervalSeconds = 60 } = agentLogin.session ?? {}
  store({ ...tokensOf(agentLogin), lockedAt, heartbeatSeconds: heartbeatIntervalSeconds })
}

let renewing: Promise<void> | null = null
let renewedAt = -Infinity

/** Call it with the token that the service has refused. Requests that are refused at the same time share one renewal. */
export async function renew(refused: string): Promise<void> {
  if (refused !== accessToken()) return
  // A new token that is refused at once would be renewed for ever.
  if (performance.now() - renewedAt < 2_000) store(null)
  renewing ??= renewTokens().finally(() => (renewing = null))
  await renewing
}

async function renewTokens(): Promise<void> {
  const document = `mutation Renew($token: String!) {
    refreshTokens(refreshToken: $token) { tokens { accessToken { token } refreshToken { token } } }
  }`
  const old = session
  if (!old) throw new Error('Sign in again')
  try {
    const { refreshTokens } = await send<{ refreshTokens: { tokens: TokenPair } }>(document, { token: old.refresh })
    store({ ...old, ...tokensOf(refreshTokens) })
    renewedAt = performance.now()
  } catch (error) {
    // Of other errors, such as a lost network, the session knows nothing: it stays.
    if (error instanceof RefusedRequest && isExpired(error)) store(null)
    throw error
  }
}

/** Also signs the agent out at the telephony provider. */
export async function signOut(): Promise<void> {
  const document = 'mutation SignOut($lockedAt: DateTime) { agentLogout(lockedAt: $lockedAt) { released } }'
  const end = (): Promise<unknown> => send(document, { lockedAt: session?.lockedAt }, accessToken())
  try {
    await end().catch(async (error: unknown) => {
      if (!(error instanceof RefusedRequest && isExpired(error))) throw error
      await renew(accessToken())
      await end()
    })
  } finally {
    store(null)
  }
}

class RefusedRequest extends Error {
  readonly extensions: ServiceError['extensions']
  constructor({ message, extensions }: ServiceError) {
    super(message)
    this.extensions = extensions
  }
}

/** Sign-in and renewal go without a token: an expired one would be refused. */
async function send<Data>(query: string, variables: object, token?: string): Promise<Data> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  const { data, errors } = (await response.json()) as { data?: Data; errors?: readonly ServiceError[] }
  if (errors?.[0]) throw new RefusedRequest(errors[0])
  return data as Data
}

const tokensOf = ({ tokens }: { readonly tokens: TokenPair }): Tokens => ({
  access: tokens.accessToken.token,
  refresh: tokens.refreshToken.token,
})

function store(next: Session | null): void {
  session = next
  if (next) sessionStorage.setItem('session', JSON.stringify(next))
  else sessionStorage.removeItem('session')
  for (const listener of listeners) listener()
}
