import { AgentLoginDocument, ExchangeLoginTokenDocument, MeDocument, RefreshTokensDocument } from '../generated.ts'
import { row } from '../row.ts'

export const authRows = [
  row(AgentLoginDocument, {
    method: 'POST',
    path: '/auth/login',
    arguments: { input: 'body' },
    summary: 'Sign in; an agent takes the one session',
    refusals: ['SIGN_IN_REFUSED', 'WORKSPACE_NOT_SERVED', 'PLATFORM_REFUSED', 'SESSION_LOCKED', 'TOO_MANY_TRIES', 'STORE_UNAVAILABLE'],
  }),
  row(ExchangeLoginTokenDocument, {
    method: 'POST',
    path: '/auth/tokens',
    arguments: { input: 'body' },
    summary: 'Exchange a login token for session tokens',
    refusals: ['TOKEN_REFUSED', 'WORKSPACE_NOT_SERVED', 'PLATFORM_REFUSED'],
  }),
  row(RefreshTokensDocument, {
    method: 'POST',
    path: '/auth/refresh',
    arguments: { refreshToken: 'body.refreshToken' },
    summary: 'Renew the tokens; the refresh token is used up',
    refusals: ['TOKEN_REFUSED'],
  }),
  row(MeDocument, { method: 'GET', path: '/auth/me', summary: 'Who the access token belongs to' }),
]
