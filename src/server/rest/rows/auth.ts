import { mutation, query } from '../row.ts'

export const authRows = [
  mutation('agentLogin', {
    method: 'POST',
    path: '/auth/login',
    ignoresUnknownFields: true,
    arguments: { input: 'body' },
    summary: 'Sign in. An agent also takes the one agent session',
    refusals: ['SIGN_IN_REFUSED', 'WORKSPACE_NOT_SERVED', 'PLATFORM_REFUSED', 'SESSION_LOCKED', 'TOO_MANY_TRIES', 'STORE_UNAVAILABLE'],
  }),
  mutation('exchangeLoginToken', {
    method: 'POST',
    path: '/auth/tokens',
    ignoresUnknownFields: true,
    arguments: { input: 'body' },
    summary: 'Exchange a login token for session tokens',
    refusals: ['TOKEN_REFUSED', 'WORKSPACE_NOT_SERVED', 'PLATFORM_REFUSED'],
  }),
  mutation('refreshTokens', {
    method: 'POST',
    path: '/auth/refresh',
    ignoresUnknownFields: true,
    arguments: { refreshToken: 'body.refreshToken' },
    summary: 'Renew the tokens. A refresh token can be used once',
    refusals: ['TOKEN_REFUSED'],
  }),
  query('me', { method: 'GET', path: '/auth/me', summary: 'The signed-in member' }),
]
