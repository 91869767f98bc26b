import { parse as parseQueryString } from 'node:querystring'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import { documentOf } from './documents.ts'
import { faultAnswer, serverAnswer } from './graphql-answers.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { operationOf, rootSelections, variablesGiven } from './selections.ts'
import { readUpload } from './uploads.ts'

export type GraphqlRequest = {
  readonly query: string
  readonly operationName: string | null
  readonly variables: JsonObject
  readonly accept: string
  /** The platform runs operations on records before its GraphQL server, but only those that its body parser has read. */
  readonly isParsed: boolean
}

/** What a request to a GraphQL path turned out to be. */
type ReadRequest =
  | { readonly kind: 'operation'; readonly request: GraphqlRequest }
  | { readonly kind: 'answer'; readonly answer: StandInAnswer }
  /** The platform never answers a request without a query. */
  | { readonly kind: 'unanswered' }

const read = new WeakMap<StandInRequest, ReadRequest>()

/** Reads a GraphQL request once. */
export function readGraphqlRequest(request: StandInRequest): ReadRequest {
  const known = read.get(request) ?? readOnce(request)
  read.set(request, known)
  return known
}

const maxBodyBytes = 10 * 1_048_576
const unanswered = { kind: 'unanswered' } as const

function readOnce(request: StandInRequest): ReadRequest {
  const { method, query, body, headers } = request
  if (method === 'GET') return readParameters(Object.fromEntries(query), request, false)
  if (method === 'DELETE') return answered(faultAnswer('GraphQL only supports GET and POST requests.', 405))
  if (body.length > maxBodyBytes) return answered({ ...serverAnswer({}, 500), body: 'request entity too large' })
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(/ *; */)
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length)
  if (charset !== undefined && !/^"?utf-/i.test(charset)) {
    return answered({ ...serverAnswer({}, 500), body: `unsupported charset "${charset.toUpperCase()}"` })
  }
  if (/^application\/(.+\+)?json$/i.test(type)) return readJson(request)
  if (type === 'application/x-www-form-urlencoded') return readParameters(parseQueryString(body.toString('utf8')), request, true)
  if (type === 'application/graphql') return readParameters({ query: body.toString('utf8') }, request, false)
  if (type === 'multipart/form-data') return readForm(request)
  return answered({ status: 415, body: '' })
}

function readForm(request: StandInRequest): ReadRequest {
  try {
    return readParameters(readUpload(request.headers['content-type'], request.body), request, false)
  } catch {
    return answered(faultAnswer('Invalid multipart request.', 400))
  }
}

function readJson(request: StandInRequest): ReadRequest {
  const text = request.body.toString('utf8').trim()
  if (text === '') return unanswered
  try {
    if (!/^[[{]/.test(text))
      throw new Error(`Unexpected token '${text.charAt(0)}', ${JSON.stringify(text).replaceAll('\\"', '"')} is not valid JSON`)
    return readParameters(JSON.parse(text), request, true)
  } catch (error) {
    return answered(
      serverAnswer({ message: error instanceof Error ? error.message : String(error), error: 'Bad Request', statusCode: 400 }, 400),
    )
  }
}

const parameterNames = new Set(['query', 'variables', 'operationName', 'extensions'])

function readParameters(body: unknown, { method, headers }: StandInRequest, isParsed: boolean): ReadRequest {
  if (Array.isArray(body)) return answered(faultAnswer('Batching is not supported.', 400))
  if (!isJsonObject(body) || (isParsed && Object.keys(body).length === 0)) return unanswered
  const unknown = Object.keys(body).find((name) => !parameterNames.has(name))
  if (unknown !== undefined) return answered(faultAnswer(`Unexpected parameter "${unknown}" in the request body.`, 400))
  const { query, operationName, variables } = body
  if (query === null || query === undefined || query === '') return answered(faultAnswer('Must provide query string.', 200))
  if (typeof query !== 'string') return answered(faultAnswer(`Expected "query" param to be a string, but given ${typeof query}.`, 400))
  if (method === 'GET' && /^\s*mutation\b/.test(query)) {
    return answered(faultAnswer('Can only perform a mutation operation from a POST request.', 405))
  }
  const name = typeof operationName === 'string' && operationName !== '' ? operationName : null
  const given = variablesGiven(typeof variables === 'string' ? JSON.parse(variables) : variables)
  return { kind: 'operation', request: { query, operationName: name, variables: given, accept: headers.accept ?? '', isParsed } }
}

const answered = (answer: StandInAnswer): ReadRequest => ({ kind: 'answer', answer })

/** The root fields that are asked for; none if the request cannot be read. */
export function rootNames({ query, operationName, variables }: GraphqlRequest): string[] {
  try {
    const document = documentOf(query)
    const operation = operationOf(document, operationName)
    return operation ? rootSelections({ document, operation, variables, isStandard: true }).map(({ name }) => name) : []
  } catch {
    return []
  }
}
