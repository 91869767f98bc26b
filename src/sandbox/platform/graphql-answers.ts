import { type ExecutionResult, GraphQLError } from 'graphql'
import type { StandInAnswer } from '../stand-in.ts'
import { internalError, PlatformError } from './errors.ts'
import type { JsonObject } from './json.ts'

/** How the platform words its answers: what its GraphQL server answers names a charset, what it answers before or beside it does not. */
const plainJson = { 'content-type': 'application/json' }
const responseJson = 'application/graphql-response+json'
const serverJson = { 'content-type': 'application/json; charset=utf-8' }

type AnswerOptions = { readonly hidesSuggestions: boolean; readonly accept: string }

export const plainAnswer = (body: JsonObject | string): StandInAnswer => ({ headers: plainJson, body })
export const serverAnswer = (body: JsonObject, status = 200): StandInAnswer => ({ status, headers: serverJson, body })

/** An error of the request, before any operation. */
export const faultAnswer = (message: string, status: number): StandInAnswer => serverAnswer({ errors: [{ message }] }, status)

/** An answer of the GraphQL server in the first form that the client accepts. */
function acceptedAnswer(body: JsonObject, accept: string): StandInAnswer {
  for (const type of accept === '' ? ['*/*'] : accept.split(/ *(?:;[^,]*)?, */)) {
    if (/^(application\/json|\*\/\*)/.test(type)) return serverAnswer(body)
    if (type.startsWith('application/graphql-response+json')) return { headers: { 'content-type': `${responseJson}; charset=utf-8` }, body }
    const text = JSON.stringify(body)
    if (type.startsWith('text/event-stream')) {
      return { headers: { 'content-type': 'text/event-stream' }, body: `:\n\nevent: next\ndata: ${text}\n\nevent: complete\n\n` }
    }
    if (type.startsWith('multipart/mixed')) {
      const head = `---\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`
      return { headers: { 'content-type': 'multipart/mixed; boundary="-"' }, body: `${head}${text}\r\n-----\r\n` }
    }
  }
  return { status: 406, body: '' }
}

/** Errors of syntax or selection: HTTP 200, or 400 for a client that accepts `application/graphql-response+json`. */
export function documentErrorAnswer(errors: readonly GraphQLError[], { hidesSuggestions, accept }: AnswerOptions): StandInAnswer {
  const body = {
    errors: errors.map(({ message, locations }) => ({
      message: hidesSuggestions ? message.replace(/ Did you mean .*\?$/, '') : message,
      ...(locations ? { locations } : {}),
    })),
  }
  const answer = acceptedAnswer(body, accept)
  return answer.headers?.['content-type']?.startsWith(responseJson) === true ? { ...answer, status: 400 } : answer
}

/** A fault of the request itself: variables that do not fit. */
export function requestErrorAnswer(errors: readonly GraphQLError[]): StandInAnswer {
  const shaped = errors.map((error) => {
    const original = error.originalError instanceof GraphQLError ? error.originalError : null
    if (original && Object.keys(original.extensions).length > 0) return { message: original.message, extensions: original.extensions }
    const message = error.message.replace(/^Variable "\$\w+" got invalid value [\s\S]*?; /, '')
    return { message, extensions: { http: { status: 400 }, code: 'BAD_USER_INPUT', userFriendlyMessage: 'An error occurred.' } }
  })
  return serverAnswer({ errors: shaped }, 400)
}

/** The answer of an executed operation. */
export function resultAnswer({ data, errors }: ExecutionResult, accept: string, shaped = shapedError): StandInAnswer {
  if (data === undefined) return requestErrorAnswer(errors ?? [])
  return acceptedAnswer(errors ? { errors: errors.map((error) => shaped(error)), data } : { data }, accept)
}

/** An error that a resolver threw, without path and place. */
export function shapedError(error: unknown): JsonObject {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error
  const known =
    original instanceof PlatformError ? original : internalError(original instanceof Error ? original.message : String(original))
  return { message: known.message, extensions: known.extensions }
}
