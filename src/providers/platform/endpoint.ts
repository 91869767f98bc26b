import { scaled } from '../../kernel/deadlines.ts'
import { Kind, parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { Agent, errors, request } from 'undici'
import { z } from 'zod'
import { CircuitBreaker } from '../../kernel/circuit-breaker.ts'
import { AppError, type ErrorReason } from '../../kernel/errors.ts'
import { httpRequest, isGatewayFailure } from '../../kernel/http-client.ts'
import type { Log } from '../../kernel/log.ts'
import { logRefusal, Refusal } from '../../kernel/refusal.ts'
import { countUpstreamCall, type Figures } from '../../ports/figures.ts'
import { appErrorOf, isMemberGone, platformErrorSchema, platformIsBusy } from './errors.ts'
import { isPermissionDenied, platformErrorOf } from './failure.ts'

export type PlatformEndpointOptions = {
  readonly url: string
  readonly graphqlPath: string
  readonly metadataPath: string
  /** For one request with its whole answer. The platform never answers some requests (`POST {}`). Default 10 s. */
  readonly deadlineMs?: number
  /** Shared with all other requests to the platform. Default: one of its own. */
  readonly breaker?: CircuitBreaker
  /** For refusals. */
  readonly log?: Log
  /** Counts the requests. */
  readonly figures?: Pick<Figures, 'upstreamCalls'>
}

export type PlatformRequest<Schema extends z.ZodType> = {
  /** `metadata`: login, tokens, users, roles, the data model. `records`: the records of the token's workspace. */
  readonly endpoint: 'metadata' | 'records'
  readonly document: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** Null for login, token exchange and renewal: an expired token makes even these public mutations fail. */
  readonly accessToken: string | null
  /** The schema of `data`. */
  readonly answer: Schema
  /** Root fields that the token's role may not read are null in the answer, and the others are used. Default: they are an error. */
  readonly partial?: boolean
  readonly signal?: AbortSignal
}

/** One deadline-bound GraphQL POST to the platform. */
export interface PlatformEndpoint {
  /**
   * Never sends Origin or Cookie, never repeats. Throws the first error of the answer: TOKEN_REFUSED, PLATFORM_REFUSED, NOT_FOUND,
   * OVERLOADED (its rate limit), PROVIDER_REFUSED, each with a PlatformError as cause; PROVIDER_ANSWER_INVALID if the answer
   * cannot be read, PROVIDER_UNAVAILABLE if it cannot be reached or its breaker is open, DEADLINE_PASSED.
   */
  request<Schema extends z.ZodType>(request: PlatformRequest<Schema>): Promise<z.output<Schema>>
  /** The listener receives each valid access token whose member, as the platform reports, is no longer in the workspace. */
  onMemberGone(listener: (accessToken: string) => void): void
}

const maxAnswerBytes = 16 * 1024 * 1024
const envelopeSchema = z.object({ data: z.unknown().optional(), errors: z.array(platformErrorSchema).nullish() })

/** Further requests wait for a connection, within their deadline. */
const maxConnections = 256

export function createPlatformEndpoint(options: PlatformEndpointOptions): PlatformEndpoint {
  const { url, graphqlPath, metadataPath, deadlineMs = 10_000, log } = options
  const breaker = options.breaker ?? new CircuitBreaker(platformParty)
  const memberGoneListeners: ((accessToken: string) => void)[] = []
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
    onMemberGone: (listener) => void memberGoneListeners.push(listener),
    async request({ endpoint, answer, partial = false, signal, ...asked }) {
      const startedAt = performance.now()
      const report = (error: AppError): void => {
        // A record is created first and updated if it exists: a duplicate is everyday work.
        const isUsual = platformErrorOf(error)?.facts.kind === 'DUPLICATE'
        const { type, fields } = operationIn(asked.document)
        if (log && !isUsual) logRefusal(log, `${type} ${fields.join(' ')}`, error)
      }
      let result: 'OK' | ErrorReason = 'OK'
      let isSent = false
      try {
        const received = await judged(breaker, signal, () =>
          underDeadline(scaled(deadlineMs), signal, (either) => {
            isSent = true
            return post(addresses[endpoint], asked, either)
          }),
        )
        return readAnswer(received, { answer, partial, report })
      } catch (error) {
        result = error instanceof AppError ? error.reason : 'UNKNOWN'
        if (asked.accessToken !== null && isMemberGone(error)) for (const listener of memberGoneListeners) listener(asked.accessToken)
        throw error
      } finally {
        // If the caller left, nobody knows what the platform would have answered.
        if (options.figures && isSent && !signal?.aborted) count(options.figures, { document: asked.document, result, startedAt })
      }
    },
  }
}

/** The platform as a breaker names it. */
export const platformParty = { party: 'platform', who: 'The platform', workspaceId: null } as const

/** Rejects if the platform does not answer the smallest request there is. */
export async function probePlatform({ url, graphqlPath }: Pick<PlatformEndpointOptions, 'url' | 'graphqlPath'>, signal: AbortSignal) {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ query: '{ __typename }' })
  const { status } = await httpRequest({ who: 'The platform', url: url + graphqlPath, method: 'POST', headers, body, signal })
  if (isGatewayFailure(status)) throw new Error(`status ${status}`)
}

/** Makes one request, and gives the breaker its verdict. */
async function judged(breaker: CircuitBreaker, signal: AbortSignal | undefined, send: () => Promise<Received>): Promise<Received> {
  breaker.enter()
  try {
    const received = await send()
    if (isGatewayFailure(received.status)) breaker.failed()
    else breaker.answered()
    return received
  } catch (error) {
    if (signal?.aborted) breaker.left()
    else if (error instanceof AppError && error.reason === 'PROVIDER_ANSWER_INVALID') breaker.answered()
    else breaker.failed()
    throw error
  }
}

type Sent = { readonly document: string; readonly result: 'OK' | ErrorReason; readonly startedAt: number }

function count(figures: Pick<Figures, 'upstreamCalls'>, { document, result, startedAt }: Sent): void {
  const [operation = 'other'] = operationIn(document).fields
  countUpstreamCall(figures, { provider: 'platform', operation, result, seconds: (performance.now() - startedAt) / 1_000 })
}

type Asked = Pick<PlatformRequest<z.ZodType>, 'document' | 'variables' | 'accessToken'>
type Received = { readonly status: number; readonly text: string }

/** Clears its timer when the answer arrives, because a timer that fires costs as much as the request. */
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
    throw transportError(error, ending.signal)
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', leave)
  }
}

function transportError(error: unknown, signal: AbortSignal): AppError {
  const reason: unknown = signal.reason
  if (signal.aborted) return reason instanceof AppError ? reason : new AppError('DEADLINE_PASSED', { cause: reason })
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform gave an answer that is too large', cause: error })
  }
  return new AppError('PROVIDER_UNAVAILABLE', { detail: 'The platform is not available', cause: error })
}

type Reading<Schema extends z.ZodType> = Required<Pick<PlatformRequest<Schema>, 'answer' | 'partial'>> & {
  /** Receives each error of the answer. */
  readonly report: (error: AppError) => void
}

function readAnswer<Schema extends z.ZodType>({ status, text }: Received, { answer, partial, report }: Reading<Schema>): z.output<Schema> {
  const envelope = envelopeSchema.safeParse(jsonOf(text))
  const isPart = partial && (envelope.data?.data ?? null) !== null
  // The platform refuses with status 200 or 400. With 5xx whatever the body says is not its verdict.
  const refusals = status >= 500 ? [] : (envelope.data?.errors ?? []).map(appErrorOf)
  if (refusals.length === 0 && status !== 200) refusals.push(statusError(status))
  for (const refusal of refusals) report(refusal)
  const error = refusals.find((found) => !isPart || !isPermissionDenied(found))
  if (error) throw error
  const read = answer.safeParse(envelope.data?.data)
  if (read.success) return read.data
  throw new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform gave an answer that cannot be read' })
}

/** Errors without a GraphQL body, from a proxy before the platform or from its HTTP layer: they say nothing about a token or a password. */
function statusError(status: number): AppError {
  const cause = new Refusal({ provider: 'platform', code: `HTTP_${status}`, subCode: null })
  if (status === 429) return platformIsBusy(60, cause)
  if (status >= 500) return new AppError('PROVIDER_UNAVAILABLE', { detail: `The platform is not available (status ${status})`, cause })
  const detail = `The platform, or a proxy before it, answered with status ${status}`
  return new AppError('PROVIDER_ANSWER_INVALID', { detail, cause })
}

type Operation = { readonly type: string; readonly fields: readonly string[] }

const known = new LRUCache<string, Operation>({ max: 500 })

/** The root fields of a document, without arguments. Most documents are constants. */
function operationIn(document: string): Operation {
  const before = known.get(document)
  if (before) return before
  const operation = parse(document, { noLocation: true }).definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  const fields = operation?.selectionSet.selections.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : [])) ?? []
  const found = { type: operation?.operation ?? 'query', fields }
  known.set(document, found)
  return found
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
