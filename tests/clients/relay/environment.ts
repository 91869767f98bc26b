import { createClient, NetworkError } from 'graphql-sse'
import {
  Environment,
  type GraphQLResponse,
  Network,
  Observable,
  RecordSource,
  Store,
  type SubscribeFunction,
  type Variables,
} from 'relay-runtime'
import { isExpired, type ServiceError } from '../shared/failure.ts'
import { accessToken, endpoint, isSignedIn, renew } from '../shared/session.ts'

type Answer = { readonly data?: object | null; readonly errors?: readonly ServiceError[] }

async function send(query: string | null | undefined, variables: Variables): Promise<GraphQLResponse> {
  const token = accessToken()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  const answer = (await response.json()) as Answer
  if (!answer.errors?.some(isExpired)) return answer as GraphQLResponse
  await renew(token)
  return send(query, variables)
}

const events = createClient({ url: endpoint, headers: () => ({ authorization: `Bearer ${accessToken()}` }), retryAttempts: 0 })

/** No answer, the service or a proxy in trouble, or too many connections from one network. */
const isTemporary = (error: Error): boolean =>
  error instanceof NetworkError && (!error.response || error.response.status >= 500 || error.response.status === 429)
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000))

/** A stream ends with its token, when the service restarts, and when the network is lost: then the next one begins, however long it takes. */
const subscribe: SubscribeFunction = ({ text, name }, variables) =>
  Observable.create((sink) => {
    let stop = (): void => undefined
    const start = (): void => {
      const token = accessToken()
      let failure: ServiceError | undefined
      const again = async (problem?: Error): Promise<void> => {
        if (problem && !isTemporary(problem)) throw problem
        if (failure && isExpired(failure)) await renew(token).catch((error) => (isSignedIn() ? pause() : Promise.reject(error)))
        else if (failure && failure.extensions?.['retryable'] !== true) throw new Error(failure.message)
        else await pause()
        if (!sink.closed) start()
      }
      stop = events.subscribe<object>(
        { query: text ?? '', operationName: name, variables },
        {
          next(answer) {
            failure = answer.errors?.[0]
            if (!failure) sink.next(answer as GraphQLResponse)
          },
          error: (problem) => void again(problem as Error).catch(sink.error),
          complete: () => void again().catch(sink.error),
        },
      )
    }
    start()
    return () => stop()
  })

export function createEnvironment(): Environment {
  return new Environment({
    network: Network.create(({ text }, variables) => send(text, variables), subscribe),
    store: new Store(new RecordSource()),
    // An id is unique within its type: a call and its lead come from different tables.
    getDataID: ({ id }, type) => (typeof id === 'string' ? `${type}:${id}` : undefined),
  })
}
