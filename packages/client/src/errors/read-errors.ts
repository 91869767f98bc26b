import { type ErrorData, ServiceError } from './service-error.ts'

export type Json = Readonly<Record<string, unknown>>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The errors of a GraphQL answer as one, with the data that came all the same. Null if there is none. */
export function graphqlError(answer: Json): ServiceError | null {
  const { errors: given, data = null } = answer
  if (!Array.isArray(given) || given.length === 0) return null
  const errors = given.map((one: unknown) => {
    const { message, path, extensions } = isJson(one) ? one : {}
    return errorOf(isJson(extensions) ? extensions : {}, {
      message: textOr(message, 'The request failed'),
      path: Array.isArray(path) ? path : [],
    })
  })
  const [first] = errors
  if (!first) return null
  first.errors = errors
  first.partial = data
  return first
}

/** The error of an answer with a status of 400 or more: a problem (RFC 9457), a GraphQL answer, or what something in between sent. */
export function httpError({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): ServiceError {
  const answer = isJson(body) ? body : {}
  const fromGraphql = graphqlError(answer)
  if (fromGraphql) return fromGraphql
  const retryable = status === 429 || status >= 502
  const code = status >= 502 ? 'UPSTREAM_UNAVAILABLE' : status >= 500 ? 'INTERNAL_SERVER_ERROR' : (codes[status] ?? 'BAD_USER_INPUT')
  const requestId = headers.get('x-request-id')
  return errorOf(
    { code, retryable, requestId, ...answer },
    { message: textOr(answer['detail'], `The answer has the status ${status}`), path: [] },
  )
}

const codes: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMITED',
}

function errorOf(facts: Json, { message, path }: { readonly message: string; readonly path: readonly (string | number)[] }): ServiceError {
  const { code, reason, retryable, data, requestId } = facts
  return new ServiceError({
    message,
    path,
    code: textOr(code, 'INTERNAL_SERVER_ERROR'),
    reason: textOr(reason, null),
    retryable: retryable === true,
    data: isErrorData(data) ? data : null,
    requestId: textOr(requestId, null),
  })
}

function isErrorData(value: unknown): value is ErrorData {
  return isJson(value)
}

function textOr<Default extends string | null>(value: unknown, otherwise: Default): string | Default {
  return typeof value === 'string' ? value : otherwise
}
