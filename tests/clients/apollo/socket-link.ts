import type { ApolloLink } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { createClient } from 'graphql-ws'
import { accessToken, endpoint, onSession, renew } from '../shared/session.ts'

/** Subscriptions over WebSocket. A socket has the token that it began with, so a renewal is followed by a new socket. */
export function createSocketLink(): ApolloLink {
  let sent = ''
  const client = createClient({
    url: endpoint.replace(/^http/, 'ws'),
    connectionParams() {
      sent = accessToken()
      return { authorization: `Bearer ${sent}` }
    },
    retryAttempts: Infinity,
    shouldRetry: () => true,
    on: {
      // The token expired while there was no socket. The next try has the new one.
      closed: (event) => event instanceof CloseEvent && event.code === 4403 && void renew(sent).catch(() => null),
    },
  })
  onSession(() => client.terminate())
  return new GraphQLWsLink(client)
}
