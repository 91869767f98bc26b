import { Agent, errors, request } from 'undici'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { appErrorOf, isMemberGone, platformErrorSchema } from './errors.ts'

export type PlatformEndpointOptions = {
  readonly url: string
  readonly graphqlPath: string
  readonly metadataPath: string
  /** For one request, answer read whole. Some requests are never answered (`POST {}`), so there always is one. Default 10 s. */
  readonly deadlineMs?: number
}

export type PlatformRequest<Schema extends z.ZodType> = {
  /** `metadata`: login, tokens, users, roles, the data model. `records`: the records of the token's workspace. */
  readonly endpoint: 'metadata' | 'records'
  readonly document: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** Null for login, exchange and renewal: a stale token makes even these public mutations fail. */
  readonly accessToken: string | null
  /** What `data` must look like. */
  readonly answer: Schema
  readonly signal?: AbortSignal
}

/** One deadline-bound GraphQL POST to the platform. */
export interface PlatformEndpoint {
  /**
   * Never sends Origin or Cookie, never repeats. Throws the first error of the answer: TOKEN_REFUSED, PLATFORM_REFUSED, NOT_FOUND,
   * OVERLOADED (its rate limit), PROVIDER_REFUSED, each with a PlatformFault as cause; PROVIDER_ANSWER_INVALID where the answer
   * cannot be read, PROVIDER_UNAVAILABLE where it cannot be reached, DEADLINE_PASSED.
   */
  request<Schema extends z.ZodType>(request: PlatformRequest<Schema>): Promise<z.output<Schema>>
  /** The listener is told each time the platform says of a genuine access token that its member is gone from the workspace. */
  onMemberGone(listener: (accessToken: string) => void): void
}

const maxAnswerBytes = 16 * 1024 * 1024
const envelopeSchema = z.object({ data: z.unknown().optional(), errors: z.array(platformErrorSchema).nullish() })

/** More at once wait for a connection, within their deadline. */
const maxConnections = 256

export function createPlatformEndpoint(options: PlatformEndpointOptions): PlatformEndpoint {
  const { url, graphqlPath, metadataPath, deadlineMs = 10_000 } = options
  const whenMemberGone: ((accessToken: string) => void)[] = []
  const addresses = { metadata: url + metadataPath, records: url + graphqlPath }
  const dispatcher = new Agent({ connections: maxConnections, headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxAnswerBytes })

  const post = async (address: string, { document, variables = {}, accessToken }: Asked, signal: AbortSignal): Promise<Received> => {
    const { statusCode, body } = await request(address, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(accessToken === null ? {} : { authorization: `Bearer ${accessToken}` }),
      },
      body: JSON.stringify({ query: document, variables }),
      signal,
    })
    return { status: statusCode, text: await body.text() }
  }

  return {
    onMemberGone: (listener) => void whenMemberGone.push(listener),
    async request({ endpoint, answer, signal, ...asked }) {
      const received = await underDeadline(deadlineMs, signal, (either) => post(addresses[endpoint], asked, either))
      try {
        return readAnswer(received, answer)
      } catch (error) {
        if (asked.accessToken !== null && isMemberGone(error)) for (const tell of whenMemberGone) tell(asked.accessToken)
        throw error
      }
    },
  }
}

type Asked = Pick<PlatformRequest<z.ZodType>, 'document' | 'variables' | 'accessToken'>
type Received = { readonly status: number; readonly text: string }

/** A timer of its own, cleared when the answer is there: one that is left to fire costs as much as the request. */
async function underDeadline(
  ms: number,
  signal: AbortSignal | undefined,
  step: (signal: AbortSignal) => Promise<Received>,
): Promise<Received> {
  const ending = new AbortController()
  const late = setTimeout(() => ending.abort(new AppError('DEADLINE_PASSED', { detail: 'The platform took too long' })), ms)
  const leave = (): void => ending.abort(signal?.reason)
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })
  try {
    return await step(ending.signal)
  } catch (error) {
    throw transportFault(error, ending.signal)
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', leave)
  }
}

function transportFault(error: unknown, signal: AbortSignal): AppError {
  const reason: unknown = signal.reason
  if (signal.aborted) return reason instanceof AppError ? reason : new AppError('DEADLINE_PASSED', { cause: reason })
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform gave an answer that is too large', cause: error })
  }
  return new AppError('PROVIDER_UNAVAILABLE', { detail: 'The platform is not available', cause: error })
}

function readAnswer<Schema extends z.ZodType>({ status, text }: Received, schema: Schema): z.output<Schema> {
  const envelope = envelopeSchema.safeParse(jsonOf(text))
  const [error] = envelope.data?.errors ?? []
  if (error) throw appErrorOf(error)
  if (status !== 200) throw statusFault(status)
  const answer = schema.safeParse(envelope.data?.data)
  if (answer.success) return answer.data
  throw new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform gave an answer that cannot be read' })
}

/** Errors that come without a GraphQL body: from a proxy before the platform, or of its HTTP layer. */
function statusFault(status: number): AppError {
  if (status === 401) return new AppError('TOKEN_REFUSED')
  if (status === 403) return new AppError('PLATFORM_REFUSED')
  if (status === 429) return new AppError('OVERLOADED', { data: { retryAfterSeconds: 60 } })
  if (status >= 500) return new AppError('PROVIDER_UNAVAILABLE', { detail: `The platform is not available (status ${status})` })
  return new AppError('PROVIDER_ANSWER_INVALID', { detail: `The platform answered with status ${status}` })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
