import type { ApolloLink } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { createClient } from 'graphql-ws'
import { accessToken, endpoint, onSession, renew } from '../shared/session.ts'

/**
 * Subscriptions over WebSocket: one link for the whole page, also when another person signs in. A socket has the token that it began
 * with, so a renewal is followed by a new socket.
 */
export function createSocketLink(): ApolloLink {
  let sent = ''
  const client = createClient({
    url: endpoint.replace(/^http/, 'ws'),
    connectionParams() {
      sent = accessToken()
      return { authorization: `Bearer ${sent}` }
    },
    retryAttempts: Infinity,
    // By default each wait is twice as long as the one before: hours after a long outage.
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 1_000 + Math.random() * 2_000)),
    shouldRetry: () => true,
    on: {
      // The token expired while there was no socket. The next try has the new one.
      closed: (event) => event instanceof CloseEvent && event.code === 4403 && void renew(sent).catch(() => null),
    },
  })
  onSession(() => client.terminate())
  return new GraphQLWsLink(client)
}
