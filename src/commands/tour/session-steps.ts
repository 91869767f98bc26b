import { z } from 'zod'
import { type Answer, type Api, problemSchema, read, StepFault } from './api.ts'
import { clockTime, type StepResult } from './step-result.ts'

export type Account = { readonly email: string; readonly password: string; readonly workspace: string | null }

const sessionSchema = z.object({
  agentId: z.string(),
  ip: z.string(),
  lockedAt: z.string(),
  expiresAt: z.string(),
  heartbeatIntervalSeconds: z.number(),
})
const userSchema = z.object({ email: z.string(), firstName: z.string(), lastName: z.string() })
const signInSchema = z.object({
  tokens: z.object({ accessToken: z.object({ token: z.string(), expiresAt: z.string() }) }),
  role: z.string().nullable(),
  user: userSchema,
  workspace: z.object({ subdomain: z.string() }),
  session: sessionSchema.nullable(),
  sip: z.object({ uri: z.string(), wsUrl: z.string() }).nullable(),
  telephony: z.object({ signedIn: z.boolean(), reason: z.string().nullable() }).nullable(),
  agent: z.object({ name: z.string(), providerAgentId: z.string().nullable(), campaignName: z.string().nullable() }).nullable(),
})
export type SignIn = z.output<typeof signInSchema> & { readonly account: Account; readonly token: string }

const viewerSchema = z.object({
  role: z.string(),
  user: userSchema,
  workspace: z.object({ subdomain: z.string() }),
  session: sessionSchema.nullable(),
})

const takenSchema = problemSchema.extend({ data: z.object({ ip: z.string(), lockedAt: z.string() }) })

export type Taken = { readonly account: Account; readonly lockedAt: string; readonly detail: string }

/** Signs in with the first of these accounts whose agent is free; `taken` if no agent is free. */
export async function signInFirstFree(api: Api, accounts: readonly Account[]): Promise<{ signIn: SignIn | null; taken: readonly Taken[] }> {
  const taken: Taken[] = []
  for (const account of accounts) {
    const answer = await logIn(api, account)
    if (answer.status !== 409) return { signIn: signInOf(answer, account), taken }
    const { detail, data } = read(answer, 409, takenSchema)
    taken.push({ account, detail, lockedAt: data.lockedAt })
  }
  return { signIn: null, taken }
}

export function logIn(api: Api, { email, password, workspace }: Account): Promise<Answer> {
  return api.rest('POST', '/auth/login', { body: { email, password, workspace } })
}

export function signInOf(answer: Answer, account: Account): SignIn {
  const signIn = read(answer, 200, signInSchema)
  return { ...signIn, account, token: signIn.tokens.accessToken.token }
}

export function describeSignIn(signIn: SignIn): StepResult<SignIn> {
  const { user, role, workspace, session, agent, sip, telephony, tokens } = signIn
  return {
    summary: `${user.firstName} ${user.lastName} (${user.email}) is ${role ?? 'without a role here'} in ${workspace.subdomain}`,
    facts: {
      token: `good until ${clockTime(tokens.accessToken.expiresAt)}`,
      session: session && `from ${session.ip}, ${clockTime(session.lockedAt)} to ${clockTime(session.expiresAt)} without a heartbeat`,
      telephony:
        telephony &&
        (telephony.signedIn ? `signed in as ${agent?.providerAgentId ?? ''}, ${agent?.campaignName ?? 'no campaign'}` : telephony.reason),
      phone: sip && `${sip.uri} at ${sip.wsUrl}`,
    },
    value: signIn,
  }
}

export async function whoAmI(api: Api, { token }: SignIn): Promise<StepResult> {
  const { user, role, workspace, session } = read(await api.rest('GET', '/auth/me', { token }), 200, viewerSchema)
  const lives = session ? `the session lives until ${clockTime(session.expiresAt)}` : 'no agent session'
  return { summary: `${user.firstName} ${user.lastName}, ${role} in ${workspace.subdomain}; ${lives}`, value: undefined }
}

export async function secondSignInRefused(api: Api, { account }: SignIn): Promise<StepResult> {
  const answer = await logIn(api, account)
  const { status, code, detail, data } = read(answer, 409, takenSchema)
  return { summary: `${status} ${code}: ${detail}, since ${clockTime(data.lockedAt)}`, value: undefined }
}

export async function heartbeat(api: Api, { token }: SignIn): Promise<StepResult> {
  const session = read(await api.rest('POST', '/auth/heartbeat', { token, body: {} }), 200, sessionSchema)
  return {
    summary: `renewed until ${clockTime(session.expiresAt)}; the next is due in ${session.heartbeatIntervalSeconds / 60} minutes`,
    value: undefined,
  }
}

export async function signOut(api: Api, { token, session }: SignIn): Promise<StepResult> {
  const body = session ? { lockedAt: session.lockedAt } : {}
  const answer = await api.rest('POST', '/auth/logout', { token, body })
  const { released, providerSignedOut } = read(answer, 200, z.object({ released: z.boolean(), providerSignedOut: z.boolean() }))
  if (!released && session) throw new StepFault(`${answer.request} found no session to end`)
  const telephony = providerSignedOut ? 'signed out at the telephony provider' : 'the telephony provider did not sign the agent out'
  return { summary: session ? `the session has ended; ${telephony}` : 'nothing to end: there was no agent session', value: undefined }
}

export async function tokenIsRefused(api: Api, { token }: SignIn): Promise<StepResult> {
  const refused = read(await api.rest('GET', '/auth/me', { token }), 401, problemSchema)
  return { summary: `${refused.status} ${refused.reason}: ${refused.detail}`, value: undefined }
}
