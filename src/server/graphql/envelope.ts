import { AppError } from '../../kernel/errors.ts'
import { checkJson, graphqlLimits } from '../../kernel/json-limits.ts'

/** The members of a GraphQL request's body. */
export type Envelope = {
  readonly query: string
  readonly operationName: string
  readonly variables: Readonly<Record<string, unknown>> | null
}

/** The envelope of a body; null for JSON in another form. Throws INVALID_INPUT if it is not JSON, a batch, or over a limit, and for a stored document.
 * `bodyBytes`: the limit of the body. */
export function readEnvelope(body: Buffer, bodyBytes: number): Envelope | null {
  checkJson(body, graphqlLimits(bodyBytes))
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError('INVALID_INPUT', { detail: 'The body must be JSON' })
  }
  if (Array.isArray(value)) throw new AppError('INVALID_INPUT', { detail: noBatches })
  refuseStored(value)
  return envelopeOf(value)
}

const noBatches = 'Batches are not supported: send one operation in each request, or several root fields in one operation'
const noStoredDocuments = 'Stored documents are not supported: send the text of the operation as `query`'

/** Refuses a request that names a document instead of having one. To a hash, clients expect an answer that makes them send the text. */
function refuseStored(value: unknown): void {
  if (!isRecord(value) || (typeof value['query'] === 'string' && value['query'] !== '')) return
  const { documentId, extensions } = value
  if (isRecord(extensions) && 'persistedQuery' in extensions) throw new AppError('PERSISTED_QUERY_NOT_SUPPORTED')
  if (documentId !== undefined && documentId !== null) throw new AppError('INVALID_INPUT', { detail: noStoredDocuments })
}

/** The envelope of parsed JSON, by the same rule. */
export function envelopeOf(value: unknown): Envelope | null {
  if (!isRecord(value)) return null
  const { query, operationName, variables, extensions } = value
  if (typeof query !== 'string') return null
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return null
  if (variables !== undefined && variables !== null && !isRecord(variables)) return null
  if (extensions !== undefined && extensions !== null && !isRecord(extensions)) return null
  return { query, operationName: operationName ?? '', variables: variables ?? null }
}

/** The envelope of a GET request. Throws INVALID_INPUT if it is over a limit, and for a stored document. */
export function envelopeOfQuery(query: string): Envelope | null {
  const parameters = new URLSearchParams(query)
  const parsed = (name: string): unknown => {
    const text = parameters.get(name)
    if (text === null) return undefined
    checkJson(Buffer.from(text), graphqlLimits(text.length), name)
    return JSON.parse(text)
  }
  try {
    const value = {
      query: parameters.get('query'),
      operationName: parameters.get('operationName'),
      variables: parsed('variables'),
      extensions: parsed('extensions'),
      documentId: parameters.get('documentId'),
    }
    refuseStored(value)
    return envelopeOf(value)
  } catch (error) {
    if (error instanceof AppError) throw error
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
