import type { ClientRequest, IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { ExecutionResult, FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { z } from 'zod'
import { AppError, errorReasons } from '../../../kernel/errors.ts'

const resultSchema = z.looseObject({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
})

const problemSchema = z.object({ reason: z.enum(errorReasons), detail: z.string() })

/** A result as JSON. graphql-ws takes results of graphql's `execute`, whose errors are objects: it gets an empty one that has the real one. */
export class Answer implements ExecutionResult {
  readonly data = null
  readonly result: FormattedExecutionResult
  constructor(result: FormattedExecutionResult) {
    this.result = result
  }
}

/** The operation was refused before it ran. */
export class RefusedOperation extends Error {
  readonly errors: readonly GraphQLFormattedError[]
  constructor(errors: readonly GraphQLFormattedError[]) {
    super('The operation was refused')
    this.errors = errors
  }
}

/** As much as may wait for the reader of a stitched subscription. */
const maxEventChars = 16 * 1_048_576

/** Of one answer, as of one that is read whole over HTTP. */
const maxAnswerChars = 64 * 1_048_576

/** Of a response whose reader is slow. */
const maxUnreadChars = 262_144

/**
 * The results in the response to a request: JSON has one, server-sent events have many, after `onStream`. Throws RefusedOperation if JSON has only errors,
 * AppError if it is no result. `return` ends the request at once, also while a result is awaited.
 */
export function answersTo(request: ClientRequest, onStream: () => void): AsyncIterableIterator<Answer> {
  const responded = Promise.withResolvers<IncomingMessage>()
  request.once('response', responded.resolve)
  // Later errors are those of the response, whose reader meets them.
  request.on('error', responded.reject)
  const answers = read(responded.promise, onStream)
  let hasLeft = false
  return {
    next: () =>
      answers.next().catch((error: unknown) => {
        if (hasLeft) return { done: true, value: undefined }
        throw error
      }),
    return() {
      hasLeft = true
      request.destroy()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

async function* read(responded: Promise<IncomingMessage>, onStream: () => void): AsyncGenerator<Answer> {
  const response = await responded
  response.setEncoding('utf8')
  if (response.headers['content-type']?.startsWith('text/event-stream')) {
    onStream()
    yield* readEvents(response)
    return
  }
  let text = ''
  for await (const piece of piecesOf(response)) {
    text += piece
    if (text.length > maxAnswerChars) throw new AppError('PROVIDER_ANSWER_INVALID')
  }
  if (response.headers['content-type']?.startsWith('application/problem+json')) throw refusalIn(text)
  const result = resultOf(text)
  if (result.data === undefined) throw result.errors ? new RefusedOperation(result.errors) : new AppError('PROVIDER_ANSWER_INVALID')
  yield new Answer(result)
}

async function* readEvents(response: IncomingMessage): AsyncGenerator<Answer> {
  const results: FormattedExecutionResult[] = []
  let isComplete = false
  const parser = createParser({
    maxBufferSize: maxEventChars,
    onEvent({ event, data }) {
      if (event === 'complete') isComplete = true
      else if (event === undefined || event === 'next') results.push(resultOf(data))
    },
  })
  for await (const piece of piecesOf(response)) {
    parser.feed(piece)
    for (const result of results.splice(0)) yield new Answer(result)
    if (isComplete) return
  }
  // Without its last event the stream has broken off.
  throw new AppError('PROVIDER_UNAVAILABLE')
}

/** Node's HTTP client slows down only a network's socket, so the pair of streams is paused here. */
async function* piecesOf(response: IncomingMessage): AsyncGenerator<string> {
  const { socket } = response
  socket.on('data', () => {
    if (response.readableLength > maxUnreadChars) socket.pause()
  })
  try {
    for await (const piece of response) {
      yield String(piece)
      socket.resume()
    }
  } catch (error) {
    throw new AppError('PROVIDER_UNAVAILABLE', { cause: error })
  }
}

/** How the server refuses a connection before its path is known. */
function refusalIn(text: string): AppError {
  const { reason, detail } = problemSchema.parse(JSON.parse(text))
  return new AppError(reason, { detail })
}

function resultOf(text: string): FormattedExecutionResult {
  const { data, errors, ...others } = resultSchema.parse(JSON.parse(text))
  return { ...others, ...(errors && { errors }), ...(data !== undefined && { data }) }
}
