import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler } from '@apollo/client/incremental'
import { SetContextLink } from '@apollo/client/link/context'
import { ErrorLink } from '@apollo/client/link/error'
import { relayStylePagination } from '@apollo/client/utilities'
import { OperationTypeNode } from 'graphql'
import { from, switchMap } from 'rxjs'
import { isExpired } from '../shared/failure.ts'
import { accessToken, endpoint, renew } from '../shared/session.ts'

const withToken = new SetContextLink(() => {
  const token = accessToken()
  return { token, headers: { authorization: `Bearer ${token}` } }
})

/** Renews an expired token and sends the operation again: also a subscription, whose stream ends with its token. */
const renewing: ErrorLink = new ErrorLink(({ error, operation, forward }) => {
  if (!CombinedGraphQLErrors.is(error) || !error.errors.some(isExpired)) return undefined
  return from(renew(operation.getContext()['token'])).pipe(switchMap(() => renewing.request(operation, forward)))
})

const isSubscription = ({ operationType }: ApolloLink.Operation) => operationType === OperationTypeNode.SUBSCRIPTION

/** `live` is the page's link for subscriptions, from `createSocketLink()` or `createSseLink()`. */
export function createClient(live: ApolloLink): ApolloClient {
  const transport = ApolloLink.split(isSubscription, live, new HttpLink({ uri: endpoint }))
  return new ApolloClient({
    link: ApolloLink.from([renewing, withToken, transport]),
    cache: new InMemoryCache({ typePolicies: { Query: { fields: { missedCalls: relayStylePagination(['waitingOnly']) } } } }),
    incrementalHandler: new Defer20220824Handler(),
  })
}
