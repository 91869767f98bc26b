import { ApolloLink, Observable } from '@apollo/client'
import { createClient } from 'graphql-sse'
import { print } from 'graphql'
import { accessToken, endpoint } from '../shared/session.ts'

/** Subscriptions as server-sent events. */
export function createSseLink(): ApolloLink {
  const client = createClient({ url: endpoint, headers: () => ({ authorization: `Bearer ${accessToken()}` }) })
  return new ApolloLink(
    ({ query, variables, operationName }) =>
      new Observable((observer) =>
        client.subscribe<Record<string, unknown>, Record<string, unknown>>({ query: print(query), variables, operationName }, observer),
      ),
  )
}
