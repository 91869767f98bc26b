import { z } from 'zod'
import type { Identity, IssuedTokens, Profile } from '../../ports/identity.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PlatformEndpoint } from './endpoint.ts'
import { type PlatformErrorFacts, platformErrorOf } from './failure.ts'
import { createRoleFields } from './role-fields.ts'

/** Accounts and tokens on the platform's metadata endpoint (Twenty 1.3 to 2.21); no mutation here carries an access token. */
export function createPlatformIdentity({
  endpoint,
  originOf,
}: {
  readonly endpoint: PlatformEndpoint
  /** The full address of a workspace's frontend. Its subdomain identifies the workspace. */
  readonly originOf: (workspace: string) => string
}): Identity {
  const issueTokens = createTokenIssuer(endpoint)
  const roleFields = createRoleFields()
  return {
    async logIn({ email, password, workspace }) {
      const variables = { email, password, origin: originOf(workspace) }
      const request = { endpoint: 'metadata', document: logInDocument, variables, accessToken: null, answer: loginAnswer } as const
      const { login } = await endpoint.request(request).catch((error: unknown) => {
        throw logInError(error)
      })
      return login.loginToken.token
    },
    exchange: ({ loginToken, workspace }) => issueTokens('exchange', { loginToken, origin: originOf(workspace) }),
    renew: (refreshToken) => issueTokens('renew', { appToken: refreshToken }),
    async profile(accessToken) {
      const asked = roleFields.ask((fields) =>
        endpoint.request({ endpoint: 'metadata', document: profileDocument(fields), accessToken, answer: profileAnswer }),
      )
      const { currentUser } = await asked.catch((error: unknown) => {
        throw notAPersonsToken(error)
      })
      return profileOf(currentUser)
    },
  }
}

const tokenSchema = z.object({ token: z.string(), expiresAt: z.coerce.date().transform((moment) => moment.toISOString()) })
const loginAnswer = z.object({ login: z.object({ loginToken: tokenSchema }) })
const tokensAnswer = z
  .object({ issued: z.object({ tokens: z.object({ access: tokenSchema, refreshToken: tokenSchema }) }) })
  .transform(({ issued: { tokens } }): IssuedTokens => ({ accessToken: tokens.access, refreshToken: tokens.refreshToken }))

const logInDocument = `mutation LogIn($email: String!, $password: String!, $origin: String!) {
  login: getLoginTokenFromCredentials(email: $email, password: $password, origin: $origin) { loginToken { token expiresAt } }
}`

const issuers = {
  exchange: (accessField: string) => `mutation Exchange($loginToken: String!, $origin: String!) {
    issued: getAuthTokensFromLoginToken(loginToken: $loginToken, origin: $origin) { ${tokensOf(accessField)} }
  }`,
  renew: (accessField: string) => `mutation Renew($appToken: String!) {
    issued: renewToken(appToken: $appToken) { ${tokensOf(accessField)} }
  }`,
}

function tokensOf(accessField: string): string {
  return `tokens { access: ${accessField} { token expiresAt } refreshToken { token expiresAt } }`
}

/** The names of the access token in newer and in older versions. */
const accessFields = ['accessOrWorkspaceAgnosticToken', 'accessToken'] as const

/** The name that works is remembered. */
function createTokenIssuer(endpoint: PlatformEndpoint) {
  let known: (typeof accessFields)[number] = accessFields[0]
  const ask = (issuer: keyof typeof issuers, variables: Record<string, string>): Promise<IssuedTokens> =>
    endpoint.request({ endpoint: 'metadata', document: issuers[issuer](known), variables, accessToken: null, answer: tokensAnswer })

  return async (issuer: keyof typeof issuers, variables: Record<string, string>): Promise<IssuedTokens> => {
    const asked = known
    try {
      return await ask(issuer, variables).catch((error: unknown) => {
        // The document failed validation, so the platform has done nothing.
        if (platformErrorOf(error)?.facts.kind !== 'UNKNOWN_FIELD') throw error
        // By what this request asked for: others ask at the same time. Also back to the first, because the platform may be updated.
        known = asked === accessFields[0] ? accessFields[1] : accessFields[0]
        return ask(issuer, variables)
      })
    } catch (error) {
      throw tokenError(error)
    }
  }
}

/**
 * The codes of the recorded refusals of credentials and tokens (2.21 and 1.3). Any other error says nothing about them: the platform has a
 * fault, or does not understand our request.
 */
function isRefusal({ code }: PlatformErrorFacts): boolean {
  return code === 'FORBIDDEN' || code === 'UNAUTHENTICATED'
}

function logInError(error: unknown): unknown {
  const facts = platformErrorOf(error)?.facts
  if (!facts || facts.kind !== 'OTHER') return error
  if (facts.subCode === 'WORKSPACE_NOT_FOUND') return unknownWorkspace(error)
  if (facts.subCode === 'EMAIL_NOT_VERIFIED') {
    return new AppError('PLATFORM_REFUSED', {
      detail: 'The e-mail address is not verified yet: open the link that was mailed',
      cause: error,
    })
  }
  // "email must be an email": the platform is stricter than we are.
  const isNoEmail = facts.code === 'BAD_USER_INPUT' && platformErrorOf(error)?.platformMessage().startsWith('email must be')
  return isRefusal(facts) || isNoEmail ? new AppError('SIGN_IN_REFUSED', { cause: error }) : error
}

function tokenError(error: unknown): unknown {
  const facts = platformErrorOf(error)?.facts
  if (!facts || facts.kind !== 'OTHER') return error
  if (facts.subCode === 'WORKSPACE_NOT_FOUND') return unknownWorkspace(error)
  if (facts.subCode?.startsWith('TWO_FACTOR_AUTHENTICATION')) {
    return new AppError('PLATFORM_REFUSED', {
      detail: "This account needs a second factor: sign in on the platform's own page",
      cause: error,
    })
  }
  return isRefusal(facts) ? new AppError('TOKEN_REFUSED', { cause: error }) : error
}

function unknownWorkspace(cause: unknown): AppError {
  return new AppError('WORKSPACE_NOT_SERVED', {
    detail: 'The platform knows no such workspace: check its name (the first part of its address), or ask an administrator',
    cause,
  })
}

/** If an operation needs a user, the platform answers "Forbidden resource" to an API key and to a missing token. */
function notAPersonsToken(error: unknown): unknown {
  const isRefusal = error instanceof AppError && error.reason === 'PLATFORM_REFUSED'
  return isRefusal ? new AppError('TOKEN_REFUSED', { detail: 'An access token of a person is needed: sign in', cause: error }) : error
}

const profileDocument = (roleFields: string): string => `query Profile {
  currentUser {
    id email firstName lastName
    workspaceMember { id name { firstName lastName } roles { ${roleFields} } }
    currentWorkspace { id subdomain }
  }
}`

const nameSchema = z.string().nullish()
const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  firstName: nameSchema,
  lastName: nameSchema,
  workspaceMember: z
    .object({
      id: z.string(),
      name: z.object({ firstName: nameSchema, lastName: nameSchema }).nullish(),
      roles: z.array(z.object({ label: z.string(), canUpdateAllSettings: z.boolean().nullish() })).nullish(),
    })
    .nullish(),
  currentWorkspace: z.object({ id: z.string(), subdomain: z.string() }).nullish(),
})
const profileAnswer = z.object({ currentUser: userSchema })

/** The member's name takes precedence over the user's, because a workspace can change only the member's name. */
function profileOf(user: z.output<typeof userSchema>): Profile {
  const { workspaceMember: member, currentWorkspace: workspace } = user
  if (!member || !workspace) throw new AppError('TOKEN_REFUSED', { detail: 'This token belongs to no workspace: sign in to one' })
  return {
    userId: user.id,
    email: user.email,
    firstName: member.name?.firstName || user.firstName || '',
    lastName: member.name?.lastName || user.lastName || '',
    memberId: member.id,
    workspace: { id: workspace.id, subdomain: workspace.subdomain },
    roles: (member.roles ?? []).map(({ label, canUpdateAllSettings }) => ({ label, mayChangeSettings: canUpdateAllSettings === true })),
  }
}
