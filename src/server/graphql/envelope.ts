import { AppError, invalidInput } from '../../kernel/errors.ts'

/** The members of a GraphQL request's body. */
export type Envelope = {
  readonly query: string
  readonly operationName: string
  readonly variables: Readonly<Record<string, unknown>> | null
}

/** The envelope of a body; null for JSON in another form (lists, wrong types). Throws INVALID_INPUT if it is not JSON. */
export function readEnvelope(body: Buffer): Envelope | null {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError('INVALID_INPUT', { detail: 'The body must be JSON' })
  }
  return envelopeOf(value)
}

/** More than any filter or document of the platform needs. JSON.stringify fails at a much greater depth. */
const maxNesting = 200

/** The envelope of parsed JSON, by the same rule. Throws INVALID_INPUT if the variables nest too deeply. */
export function envelopeOf(value: unknown): Envelope | null {
  if (!isRecord(value)) return null
  const { query, operationName, variables, extensions } = value
  if (typeof query !== 'string') return null
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return null
  if (variables !== undefined && variables !== null && !isRecord(variables)) return null
  if (extensions !== undefined && extensions !== null && !isRecord(extensions)) return null
  if (variables) refuseDeep(variables, maxNesting)
  return { query, operationName: operationName ?? '', variables: variables ?? null }
}

function refuseDeep(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return
  if (left === 0) throw invalidInput('variables', `must nest at most ${maxNesting} levels`)
  for (const inner of Object.values(value)) refuseDeep(inner, left - 1)
}

/** The envelope of a GET request. */
export function envelopeOfQuery(query: string): Envelope | null {
  const parameters = new URLSearchParams(query)
  const parsed = (name: string): unknown => {
    const text = parameters.get(name)
    return text === null ? undefined : JSON.parse(text)
  }
  try {
    return envelopeOf({
      query: parameters.get('query'),
      operationName: parameters.get('operationName'),
      variables: parsed('variables'),
      extensions: parsed('extensions'),
    })
  } catch {
    return null
  }
}

/** The JSON body of an envelope. */
export function bodyOf({ query, operationName, variables }: Envelope): Readonly<Record<string, unknown>> {
  return { query, ...(operationName !== '' && { operationName }), ...(variables && { variables }) }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const jsonType = /^application\/json(?:\s*;\s*charset=(?:"?utf-?8"?))?\s*$/i

/** Uncompressed JSON in UTF-8: it can be planned, and its bytes can be forwarded with the same meaning. */
export function isPlainJson(contentType: string | undefined, contentEncoding: string | undefined): boolean {
  if (contentType === undefined || (contentEncoding !== undefined && contentEncoding !== 'identity')) return false
  return contentType === 'application/json' || jsonType.test(contentType)
}
