import type { AgentLoginInput, LoginTokenInput } from '../graphql/generated.ts'
import { operationOf, requestData, type TypedOperation, typed } from '../graphql/request.ts'
import { type Connection, members, send } from '../transport.ts'
import type { IssuedTokens } from './credentials.ts'
import type { SavedSession } from './saved-session.ts'
import { type SignedIn, signInFields, tokenFields } from './sign-in.ts'
import { ownerOf } from './token-claims.ts'

/** Who issues tokens, and where the refresh token is. */
export interface Issuer {
  readonly signIn: (input: AgentLoginInput) => Promise<SignedIn>
  readonly exchange: (input: LoginTokenInput) => Promise<IssuedTokens>
  readonly renew: (used: SavedSession) => Promise<IssuedTokens>
  /** The sign-in is over. */
  readonly forget: (own: SavedSession) => Promise<unknown>
}

/** The operations of the schema. The client stores the refresh token. */
export function graphqlIssuer(connection: Connection): Issuer {
  const run = async <Data>({ operation }: TypedOperation<Data>): Promise<Data> =>
    typed<Data>(await requestData(connection, { operation, token: null }))
  return {
    signIn: async (input) => (await run(operationOf('mutation', { agentLogin: { $: { input }, ...signInFields } }))).agentLogin,
    exchange: async (input) =>
      (await run(operationOf('mutation', { exchangeLoginToken: { $: { input }, tokens: tokenFields } }))).exchangeLoginToken.tokens,
    renew: async ({ refreshToken }) =>
      (await run(operationOf('mutation', { refreshTokens: { $: { refreshToken }, tokens: tokenFields } }))).refreshTokens.tokens,
    forget: async () => undefined,
  }
}

/** The paths of the service's own pages. The refresh token is in a cookie that no script reads, and empty in the answers. */
export function cookieIssuer(connection: Connection, path: string): Issuer {
  const post = async <Data>(step: string, body: unknown): Promise<Data> => {
    const headers = { accept: 'application/json', 'x-console-session': '1' }
    return typed<Data>(members(await send(connection, { method: 'POST', path: `${path}/${step}`, headers, token: null, body })))
  }
  const tokensOf = ({ tokens }: { readonly tokens: IssuedTokens }): IssuedTokens => tokens
  return {
    signIn: (input) => post('sign-in', input),
    exchange: async (input) => tokensOf(await post('exchange', input)),
    renew: async ({ accessToken }) => tokensOf(await post('renew', ownerOf(accessToken))),
    forget: ({ accessToken }) => post('end', ownerOf(accessToken)),
  }
}
