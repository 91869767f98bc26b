import type { StandInRequest } from '../stand-in.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { variablesGiven } from './selections.ts'
import { readUpload } from './uploads.ts'

export type GraphqlRequest = {
  readonly query: string
  readonly operationName: string | null
  readonly variables: JsonObject
  readonly accept: string
}

/** What a request to a GraphQL path turned out to be. */
type ReadRequest =
  | { readonly kind: 'operation'; readonly request: GraphqlRequest }
  | { readonly kind: 'batch' }
  | { readonly kind: 'badJson'; readonly message: string }
  | { readonly kind: 'empty' }

const read = new WeakMap<StandInRequest, ReadRequest>()

/** Reads a GraphQL request once, by POST with JSON or by GET. */
export function readGraphqlRequest(request: StandInRequest): ReadRequest {
  const known = read.get(request) ?? readOnce(request)
  read.set(request, known)
  return known
}

function readOnce(request: StandInRequest): ReadRequest {
  const accept = request.headers.accept ?? ''
  try {
    const body = request.method === 'GET' ? queryBody(request.query) : readBody(request)
    if (Array.isArray(body)) return { kind: 'batch' }
    if (!isJsonObject(body) || typeof body['query'] !== 'string') return { kind: 'empty' }
    const { query, operationName, variables } = body
    const name = typeof operationName === 'string' && operationName !== '' ? operationName : null
    return { kind: 'operation', request: { query, operationName: name, variables: variablesGiven(variables), accept } }
  } catch (error) {
    return { kind: 'badJson', message: error instanceof Error ? error.message : String(error) }
  }
}

function readBody({ headers, body }: StandInRequest): unknown {
  return readUpload(headers['content-type'], body) ?? JSON.parse(body.toString('utf8'))
}

function queryBody(parameters: URLSearchParams): JsonObject {
  const variables = parameters.get('variables')
  return {
    query: parameters.get('query') ?? undefined,
    operationName: parameters.get('operationName'),
    variables: variables === null ? {} : JSON.parse(variables),
  }
}
