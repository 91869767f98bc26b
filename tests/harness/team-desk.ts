import { expect } from 'vitest'
import { z } from 'zod'
import { createTestApp, type RestAnswer, type TestApp, type TestAppOptions } from './app.ts'

const memberSchema = z.looseObject({
  id: z.string(),
  userId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: z.enum(['MANAGER', 'USER']).nullable(),
  platformRole: z.string().nullable(),
  agentId: z.string().nullable(),
  agent: z.looseObject({ sipExtension: z.string().nullable() }).nullable(),
  session: z.looseObject({ lockedAt: z.string() }).nullable(),
  hasTemporaryPassword: z.boolean(),
})
export type Member = z.output<typeof memberSchema>
const answerSchema = z.object({ member: memberSchema })
export const pageSchema = z.object({
  members: z.array(memberSchema),
  totalCount: z.int(),
  nextCursor: z.string().nullable(),
  inviteLinkLeftOpenSince: z.string().nullable(),
})
export const passwordSchema = z.object({
  password: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  usedAt: z.string().nullable(),
})

export const asha = { email: 'asha.rao@demo.example', firstName: 'Asha', lastName: 'Rao', role: 'USER' } as const

/** A running service with a manager of the workspace `demo` signed in. */
export type TeamDesk = AsyncDisposable & {
  readonly app: TestApp
  readonly manager: { readonly token: string; readonly memberId: string }
  /** A REST request of the manager. */
  ask(method: string, path: string, body?: unknown): Promise<RestAnswer>
  create(body: unknown): Promise<Member>
  temporaryPassword(memberId: string): Promise<z.output<typeof passwordSchema>>
  logIn(email: string, password: string): Promise<RestAnswer>
  /** Members of `demo` with this e-mail on the platform. */
  onPlatform(email: string): readonly Readonly<Record<string, unknown>>[]
  /** Whether the workspace's public invite link is open on the platform. */
  isLinkOpen(): Promise<boolean>
}

export async function createTeamDesk(options: TestAppOptions = {}): Promise<TeamDesk> {
  const app = await createTestApp(options)
  const { token, memberId } = await app.signIn('manager@demo.example')
  const ask: TeamDesk['ask'] = (method, path, body) => app.rest(method, path, { token, ...(body !== undefined && { body }) })
  return {
    app,
    manager: { token, memberId },
    ask,
    async create(body) {
      const answer = await ask('POST', '/api/team/members', body)
      if (answer.status !== 200) throw new Error(`not created: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answerSchema.parse(answer.body).member
    },
    async temporaryPassword(id) {
      return passwordSchema.parse((await ask('GET', `/api/team/members/${id}/temporary-password`)).body)
    },
    logIn: (email, password) => app.rest('POST', '/auth/login', { body: { email, password, workspace: 'demo' } }),
    onPlatform: (email) => app.standIns.platform.records('demo', 'workspaceMember', { userEmail: { eq: email } }),
    async isLinkOpen() {
      const { data } = await platformAsk(app, '{ currentWorkspace { isPublicInviteLinkEnabled } }', token)
      return z.object({ currentWorkspace: z.object({ isPublicInviteLinkEnabled: z.boolean() }) }).parse(data).currentWorkspace
        .isPublicInviteLinkEnabled
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** Sends a query to the stand-in directly, without the service. */
async function platformAsk(app: TestApp, query: string, token: string): Promise<{ data?: unknown; errors?: unknown }> {
  const response = await fetch(`${app.standIns.platform.url}/metadata`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  })
  return z.object({ data: z.unknown().optional(), errors: z.unknown().optional() }).parse(await response.json())
}

export async function setLink(desk: TeamDesk, isOpen: boolean): Promise<void> {
  await platformAsk(desk.app, `mutation { updateWorkspace(data: { isPublicInviteLinkEnabled: ${isOpen} }) { id } }`, desk.manager.token)
}

/** Matches a text that contains this one. */
export function containing(text: string): unknown {
  return expect.stringContaining(text)
}
