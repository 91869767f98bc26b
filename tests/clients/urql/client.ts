import { cacheExchange, Client, fetchExchange } from 'urql'
import { authExchange } from '@urql/exchange-auth'
import { isExpired } from '../shared/failure.ts'
import { accessToken, endpoint, renew } from '../shared/session.ts'

const withToken = authExchange(async ({ appendHeaders }) => {
  let sent = accessToken()
  return {
    addAuthToOperation(operation) {
      sent = accessToken()
      return appendHeaders(operation, { authorization: `Bearer ${sent}` })
    },
    didAuthError: ({ graphQLErrors }) => graphQLErrors.some(isExpired),
    refreshAuth: () => renew(sent),
  }
})

/** Subscriptions as server-sent events: `fetchExchange` does them by itself. */
export function createClient(): Client {
  return new Client({
    url: endpoint,
    fetchSubscriptions: true,
    exchanges: [cacheExchange, withToken, fetchExchange],
  })
}
