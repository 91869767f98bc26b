import { z } from 'zod'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'

const loginTokenSchema = z.object({
  data: z.object({ getLoginTokenFromCredentials: z.object({ loginToken: z.object({ token: z.string() }) }) }),
})
const tokensSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

/** `workspaceUrl`: the platform's, with `{workspace}`. */
export type SignInPlace = { readonly url: string; readonly workspaceUrl: string }

/** A login token as a frontend gets it from the platform itself, for a member of the workspace `demo`. */
export async function loginTokenOf(place: SignInPlace, email: string): Promise<string> {
  const query = `mutation ($email: String!, $password: String!, $origin: String!) {
    getLoginTokenFromCredentials(email: $email, password: $password, origin: $origin) { loginToken { token } }
  }`
  const variables = { email, password: sandboxPassword, origin: place.workspaceUrl.replace('{workspace}', 'demo') }
  const answer = await post(`${place.url}/metadata`, { query, variables })
  return loginTokenSchema.parse(answer).data.getLoginTokenFromCredentials.loginToken.token
}

/** An access token of a member who signed in at the platform, as after single sign-on: without an agent session. */
export async function tokenWithoutSession(place: SignInPlace, email: string): Promise<string> {
  const loginToken = await loginTokenOf(place, email)
  return tokensSchema.parse(await post(`${place.url}/auth/tokens`, { loginToken, workspace: 'demo' })).tokens.accessToken.token
}

const issuedSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string(), expiresAt: z.string() }) }) })

/** A sign-in at the platform as the console's page stores it (`saved`), and its cookie: `name=value`. */
export async function consoleSignIn(place: SignInPlace, email: string): Promise<{ readonly saved: string; readonly cookie: string }> {
  const body = JSON.stringify({ loginToken: await loginTokenOf(place, email), workspace: 'demo' })
  const headers = { 'content-type': 'application/json', origin: place.url, 'sec-fetch-site': 'same-origin', 'x-console-session': '1' }
  const response = await fetch(`${place.url}/console/session/exchange`, { method: 'POST', headers, body })
  const { token, expiresAt } = issuedSchema.parse(await response.json()).tokens.accessToken
  const saved = { accessToken: token, accessExpiresAt: Date.parse(expiresAt), refreshToken: '', agentSession: null }
  return { saved: JSON.stringify(saved), cookie: response.headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return response.json()
}
