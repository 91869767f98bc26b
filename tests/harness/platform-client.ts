import { z } from 'zod'
import type { PlatformStandIn } from '../../src/sandbox/platform/platform.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'

type Asking = { readonly token?: string; readonly variables?: Readonly<Record<string, unknown>> }
type TokenPair = { readonly access: string; readonly refresh: string }

/** Speaks to the platform as any client would, over its socket. */
export type PlatformClient = {
  /** The JSON of the answer; throws where the HTTP status is an error. */
  post(path: string, body: unknown, token?: string): Promise<unknown>
  ask(path: '/graphql' | '/metadata', query: string, asking?: Asking): Promise<unknown>
  /** Tokens of a seeded member, by the name before the `@`. */
  signIn(member: string, workspace?: string): Promise<TokenPair>
}

const tokenSchema = z.object({ token: z.string() })
const loginSchema = z.object({ data: z.object({ login: z.object({ loginToken: tokenSchema }) }) })
const exchangeSchema = z.object({
  data: z.object({
    exchange: z.object({ tokens: z.object({ accessOrWorkspaceAgnosticToken: tokenSchema, refreshToken: tokenSchema }) }),
  }),
})

const loginDocument = `mutation ($email: String!, $password: String!, $origin: String!) {
  login: getLoginTokenFromCredentials(email: $email, password: $password, origin: $origin) { loginToken { token } }
}`
const exchangeDocument = `mutation ($loginToken: String!, $origin: String!) {
  exchange: getAuthTokensFromLoginToken(loginToken: $loginToken, origin: $origin) {
    tokens { accessOrWorkspaceAgnosticToken { token } refreshToken { token } }
  }
}`

export function createPlatformClient(platform: PlatformStandIn): PlatformClient {
  const post: PlatformClient['post'] = async (path, body, token) => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    const response = await fetch(`${platform.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const ask: PlatformClient['ask'] = (path, query, { token, variables } = {}) => post(path, { query, variables }, token)

  return {
    post,
    ask,
    async signIn(member, workspace = 'demo') {
      const origin = platform.workspaceUrl.replace('{workspace}', workspace)
      const credentials = { email: `${member}@${workspace}.example`, password: sandboxPassword, origin }
      const { login } = loginSchema.parse(await ask('/metadata', loginDocument, { variables: credentials })).data
      const variables = { loginToken: login.loginToken.token, origin }
      const { tokens } = exchangeSchema.parse(await ask('/metadata', exchangeDocument, { variables })).data.exchange
      return { access: tokens.accessOrWorkspaceAgnosticToken.token, refresh: tokens.refreshToken.token }
    },
  }
}
