import { cacheExchange, Client, subscriptionExchange } from 'urql'
import { service } from './service-client.ts'

/**
 * Queries and mutations with a cache by document: a mutation makes urql ask again for what has the types that it returned. Requests go through
 * the typed client, whose ServiceError is the `networkError` of a failure. Live data: `defineLive`.
 */
export function createUrqlClient(): Client {
  return new Client({
    url: `${location.origin}/graphql`,
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    exchanges: [cacheExchange, serviceExchange()],
  })
}

function serviceExchange() {
  return subscriptionExchange({
    enableAllOperations: true,
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe({ next, error, complete }) {
        const leaving = new AbortController()
        const answer = (data: Readonly<Record<string, unknown>>): void => {
          next({ data })
          complete()
        }
        const fail = (problem: unknown): void => {
          if (!leaving.signal.aborted) error(problem)
        }
        service.execute<Readonly<Record<string, unknown>>, object>(query, { ...variables }, { signal: leaving.signal }).then(answer, fail)
        return { unsubscribe: () => leaving.abort() }
      },
    }),
  })
}
