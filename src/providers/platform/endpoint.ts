import { fetch } from '@whatwg-node/fetch'
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

export function createPlatformEndpoint(options: PlatformEndpointOptions): PlatformEndpoint {
  const { url, graphqlPath, metadataPath, deadlineMs = 10_000 } = options
  const whenMemberGone: ((accessToken: string) => void)[] = []
  const addresses = { metadata: url + metadataPath, records: url + graphqlPath }
  return {
    onMemberGone: (listener) => void whenMemberGone.push(listener),
    async request({ endpoint, document, variables = {}, accessToken, answer, signal }) {
      const deadline = AbortSignal.timeout(deadlineMs)
      const either = signal ? AbortSignal.any([deadline, signal]) : deadline
      const received = await post({
        address: addresses[endpoint],
        body: JSON.stringify({ query: document, variables }),
        accessToken,
        signal: either,
      }).catch((error: unknown) => {
        throw transportFault(error, either)
      })
      try {
        return readAnswer(received, answer)
      } catch (error) {
        if (accessToken !== null && isMemberGone(error)) for (const tell of whenMemberGone) tell(accessToken)
        throw error
      }
    },
  }
}

type Post = { readonly address: string; readonly body: string; readonly accessToken: string | null; readonly signal: AbortSignal }
type Received = { readonly status: number; readonly text: string }

async function post({ address, body, accessToken, signal }: Post): Promise<Received> {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(accessToken === null ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    body,
    redirect: 'manual',
    signal,
  })
  return { status: response.status, text: await readText(response, signal) }
}

async function readText(response: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    signal.throwIfAborted()
    bytes += chunk.byteLength
    if (bytes > maxAnswerBytes) throw new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform gave an answer that is too large' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function transportFault(error: unknown, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error
  if (signal.aborted) {
    const reason: unknown = signal.reason
    return reason instanceof AppError ? reason : new AppError('DEADLINE_PASSED', { detail: 'The platform took too long', cause: reason })
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
