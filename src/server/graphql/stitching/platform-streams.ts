import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import { createGraphQLError, type ExecutionResult, mapAsyncIterator } from '@graphql-tools/utils'
import { fetch } from '@whatwg-node/fetch'
import { createParser, type EventSourceParser } from 'eventsource-parser'
import { GraphQLError } from 'graphql'
import { AppError } from '../../../kernel/errors.ts'
import { isGatewayFailure } from '../../../kernel/http-client.ts'
import { invalidAnswer } from '../invalid-answer.ts'
import { readGraphQL } from '../read-graphql.ts'
import type { PlatformContext, PlatformExecution } from './platform-context.ts'
import type { RequestSpan } from './request-spans.ts'
import { transportError, type TransportReason } from './transport-errors.ts'

/** One endpoint of the platform. `deadlineMs`: until a stream begins, or a refusal is complete. */
type Endpoint = { readonly endpoint: string; readonly deadlineMs: number; readonly headers: Record<string, string> }

/** Begins a subscription at one endpoint of the platform. A refusal is one result. A stream that has begun has no time limit: its operation ends it. */
export async function subscribeToPlatform(
  { endpoint, deadlineMs, headers }: Endpoint,
  request: PlatformExecution,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  const { signal, beginSpan, failures, onVerdict } = request.context
  const span = beginSpan && (await beginSpan())
  // An executor for each: one for all would hold a listener for every stream that it began.
  const execute = buildHTTPExecutor({
    endpoint,
    fetch: (url, init) => judgedFetch({ span, signal, onVerdict }, url, init),
    method: 'POST',
    deduplicateInflightRequests: false,
    headers: { ...headers, accept: 'text/event-stream', ...(span && { traceparent: span.traceparent }) },
  })
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('The platform took too long', 'TimeoutError')), deadlineMs)
  const begun = Promise.resolve(execute({ ...request, signal: AbortSignal.any([signal, late.signal]) }))
  const result: unknown = await begun.finally(() => clearTimeout(timer))
  if (!isResult(result)) throw new TypeError('The platform gave no result')
  if (!(Symbol.asyncIterator in result)) return withTransportErrors(result, failures)
  return mapAsyncIterator(result[Symbol.asyncIterator](), (one) => withStreamErrors(one, failures))
}

async function judgedFetch(
  { span, signal, onVerdict }: Pick<PlatformContext, 'signal' | 'onVerdict'> & { readonly span: RequestSpan | null },
  url: string,
  init: RequestInit | undefined,
): Promise<Response> {
  try {
    const answer = await fetch(url, init)
    span?.end(answer.status)
    onVerdict(!isGatewayFailure(answer.status))
    const { status, headers, body } = answer
    const contentType = headers.get('content-type')
    if (!body || !contentType?.startsWith('text/event-stream')) return answer
    return new Response(streamOf(wholeEvents(body)), { status, headers: { 'content-type': contentType } })
  } catch (error) {
    span?.end(error instanceof Error ? error.name : 'unknown')
    // A stream that takes too long to begin says nothing: only silence shows whether the platform answers.
    if (!signal.aborted && !init?.signal?.aborted) onVerdict(false)
    throw error
  }
}

function streamOf(events: AsyncGenerator<Uint8Array<ArrayBuffer>, void>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
      const next = await events.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    // It rejects if the platform's stream has broken off meanwhile.
    cancel: () => void events.return(undefined).catch(() => undefined),
  }
  // Nothing is read ahead: an error would remove the events that wait.
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** As much as may wait for the reader of a stitched subscription. */
const maxEventChars = 16 * 1_048_576

/**
 * The platform's events, each in one piece, because the executor reads half a character and half a line as it comes, and has no bound. Throws
 * PROVIDER_ANSWER_INVALID for an event that is too long or no GraphQL answer, another error if the stream ends without its last event.
 */
async function* wholeEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const decoder = new TextDecoder()
  const events: string[] = []
  let isComplete = false
  const parser = createParser({
    maxBufferSize: maxEventChars,
    onEvent({ event, data }) {
      if (event === 'complete') isComplete = true
      else if (event === undefined || event === 'next') events.push(data)
    },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw invalidAnswer()
    },
  })
  const feed = feedLines(parser)
  for await (const piece of pieces) {
    feed(decoder.decode(piece, { stream: true }))
    for (const data of events.splice(0)) {
      readGraphQL({ body: Buffer.from(data) })
      yield Buffer.from(`event: next\ndata: ${data.replaceAll('\n', ' ')}\n\n`)
    }
    if (isComplete) {
      yield Buffer.from('event: complete\n\n')
      return
    }
  }
  throw new Error('The stream ended without its last event')
}

/**
 * Feeds the parser, and follows each line `event: complete` by an empty line of data: the parser drops an event without data, and the platform's last
 * event has none (graphql-yoga 4.0.5).
 */
function feedLines(parser: EventSourceParser): (text: string) => void {
  let begun = ''
  return (text) => {
    for (const piece of text.split(/(?<=\n|\r(?!\n))/)) {
      parser.feed(piece)
      // Enough for the line that is looked for.
      begun = (begun + piece).slice(0, 20)
      if (!piece.endsWith('\n') && !piece.endsWith('\r')) continue
      const line = begun.replace(/[\r\n]/g, '')
      // With the same end, because the rest of \r\n may be still to come.
      if (line === 'event: complete' || line === 'event:complete') parser.feed(`data:${begun.slice(line.length)}`)
      begun = ''
    }
  }
}

function isResult(value: unknown): value is ExecutionResult | AsyncIterable<ExecutionResult> {
  return typeof value === 'object' && value !== null
}

/** The executor puts the platform's whole answer into its own errors. Clients must not see that. */
function withTransportErrors(result: ExecutionResult, failures: PlatformContext['failures']): ExecutionResult {
  if (!result.errors) return result
  // The executor does not check that `errors` is a list.
  const given: readonly GraphQLError[] = Array.isArray(result.errors) ? result.errors : [notErrors]
  const errors = given.map((error) => {
    const reason = transportReason(error)
    if (reason) failures.add(reason)
    return reason ? transportError(reason) : error
  })
  return { ...result, errors }
}

/** Errors of the platform are no GraphQLError: those are of the stream itself, and have the text of a socket's error. */
function withStreamErrors(result: ExecutionResult, failures: PlatformContext['failures']): ExecutionResult {
  const error = result.errors?.find((one) => one instanceof GraphQLError)
  if (!error) return result
  const reason = error.originalError instanceof AppError ? 'PROVIDER_ANSWER_INVALID' : 'PROVIDER_UNAVAILABLE'
  failures.add(reason)
  return { errors: [transportError(reason)] }
}

const notErrors = createGraphQLError('', { extensions: { code: 'RESPONSE_VALIDATION_FAILED' } })

function transportReason({ extensions }: GraphQLError): TransportReason | null {
  const { code } = extensions
  if (code === 'RESPONSE_VALIDATION_FAILED') return 'PROVIDER_ANSWER_INVALID'
  return code === 'SUBREQUEST_HTTP_ERROR' || 'request' in extensions ? 'PROVIDER_UNAVAILABLE' : null
}
