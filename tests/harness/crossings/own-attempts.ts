import { z } from 'zod'
import { sandboxPassword } from '../../../src/sandbox/platform/seed.ts'
import { telephonyAccounts } from '../../../src/sandbox/accounts.ts'
import { playCall } from '../../prove/calls/traffic.ts'
import type { TestApp } from '../app.ts'
import type { Attempt } from './requests.ts'
import type { Victim } from './victim.ts'

/** What a visitor with a key of the own workspace asks for by the ids of the other one. */
export function widgetAttempts({ visit }: Victim): readonly Attempt[] {
  const { conversationId, bookingId, slotId } = visit
  const message = { id: 'second', role: 'user', parts: [{ type: 'text', text: 'What did I say before?' }] }
  const contact = { name: 'Asha Rao', phone: '+919845098450' }
  const attempt = (method: string, path: string, body?: unknown): Attempt => ({
    operation: `visitor: ${method} ${path.replace(/[0-9a-f-]{36}/, '_')}`,
    method,
    path: `/api/widget/${path}`,
    headers: {},
    body,
  })
  return [
    attempt('GET', `chat/${conversationId}`),
    attempt('POST', 'chat', { id: conversationId, message }),
    attempt('POST', 'bookings', { slotId }),
    attempt('POST', 'bookings', { bookingId, ...contact }),
    attempt('DELETE', `bookings/${bookingId}`),
  ]
}

const host = 'acme.localhost'
/** Names without an id: every id in the answer is a leak. */
const naming: readonly Readonly<Record<string, string>>[] = [
  { 'x-workspace': 'acme', 'x-tenant-id': 'acme', 'x-graphql-workspace': 'acme' },
  { 'x-forwarded-host': host, 'x-original-host': host, forwarded: `host=${host}` },
  { origin: `http://${host}`, referer: `http://${host}/` },
]

const loginSchema = z.object({ getLoginTokenFromCredentials: z.object({ loginToken: z.object({ token: z.string() }) }) })

/** A member's own password, login token and refresh token, with which nobody may get into another workspace. */
export async function credentialAttempts(app: TestApp, email: string): Promise<readonly Attempt[]> {
  const { refreshToken } = await app.signIn(email)
  const password = sandboxPassword
  const credentials = `email: "${email}", password: "${password}", origin: "http://demo.localhost"`
  const { data } = await app.graphql(`mutation { getLoginTokenFromCredentials(${credentials}) { loginToken { token } } }`)
  const loginToken = loginSchema.parse(data).getLoginTokenFromCredentials.loginToken.token
  const attempt = (path: string, body: object, headers: Attempt['headers']): Attempt => {
    return { operation: `own credentials: ${path}`, method: 'POST', path, headers, body }
  }
  return naming.flatMap((headers) => [
    attempt('/auth/login', { email, password, workspace: 'acme' }, headers),
    attempt('/auth/refresh', { refreshToken }, headers),
    attempt('/auth/tokens', { loginToken, workspace: 'acme' }, headers),
  ])
}

/** Webhooks at the own address about a call and an agent of the other workspace, the account's name being the own one or the other's. */
export function webhookAttempts(path: string, ucid: string): readonly Attempt[] {
  const { demo, acme } = telephonyAccounts
  const { postings } = playCall(1, () => 0.5, { ucid, beganAt: Date.now() - 600_000, agentId: acme.agents[0]?.id ?? '' })
  return postings.flatMap(({ contentType, body }) =>
    [demo.userName, acme.userName].map((name) => ({
      operation: 'POST /hooks',
      method: 'POST',
      path,
      headers: { 'content-type': contentType },
      body: body.replaceAll(demo.userName, name),
    })),
  )
}
