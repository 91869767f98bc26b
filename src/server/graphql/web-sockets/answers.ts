import type { ClientRequest, IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { ExecutionResult, FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { z } from 'zod'
import { AppError, errorReasons } from '../../../kernel/errors.ts'
import { nextSlice } from '../../../kernel/loop-slices.ts'

const resultSchema = z.looseObject({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
})

const problemSchema = z.object({ reason: z.enum(errorReasons), detail: z.string() })

/**
 * A result that is sent once. graphql-ws takes results of graphql's `execute`, whose errors are objects: it gets an empty one that becomes the real one
 * when it is written as JSON. From then on it holds nothing: graphql-ws keeps it until a slow reader has taken the text, and it is far larger.
 */
export class Answer implements ExecutionResult {
  readonly data = null
  // Not to be copied with the other fields, as graphql-ws does.
  #result: FormattedExecutionResult | null
  constructor(result: FormattedExecutionResult) {
    this.#result = result
  }

  get formattedErrors(): FormattedExecutionResult['errors'] {
    return this.#result?.errors
  }

  toJSON(): FormattedExecutionResult | null {
    const result = this.#result
    this.#result = null
    return result
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

/** Of one answer: it is read in one piece, which holds the event loop for some 10 ms for each million. Over HTTP answers are passed on as they are. */
const maxAnswerChars = 16 * 1_048_576
const tooLarge = 'The answer has more than 16 million characters: ask for less, or send the operation over HTTP'

/** To read an answer like this holds the event loop for milliseconds. */
const largeChars = 262_144

/** Of a response whose reader is slow. */
const maxUnreadChars = 262_144

/**
 * The results in the response to a request: JSON has one, server-sent events have many, after `onStream`. Throws RefusedOperation if JSON has only errors,
 * AppError if it is no result. `return` ends the request at once, also while a result is awaited. `onHeld` counts what is in memory of results that are not complete.
 * A large result is read when `lock` resolves, and unlocks when it is sent or the operation is over.
 */
export function answersTo(request: ClientRequest, { onStream, onHeld, lock }: Listeners): AsyncIterableIterator<Answer> {
  let held = 0
  const hold = (chars: number): void => {
    held += chars
    onHeld(chars)
  }
  let hasLeft = false
  let unlock = (): void => {}
  const release = (): void => {
    hold(-held)
    unlock()
  }
  const waitForLock = async (): Promise<void> => {
    unlock = await lock()
    if (hasLeft) unlock()
  }
  const responded = Promise.withResolvers<IncomingMessage>()
  // graphql-ws ends an operation without asking for its first answer if the client has left meanwhile: then nobody awaits this.
  responded.promise.catch(() => undefined)
  request.once('response', responded.resolve)
  // Later errors are those of the response, whose reader meets them.
  request.on('error', responded.reject)
  const answers = read(responded.promise, { onStream, hold, release: () => hold(-held), waitForLock })
  return {
    next() {
      // What came before is sent.
      unlock()
      return answers.next().catch((error: unknown) => {
        release()
        if (hasLeft) return { done: true, value: undefined }
        throw error
      })
    },
    return() {
      hasLeft = true
      release()
      request.destroy()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

type Listeners = {
  readonly onStream: () => void
  readonly onHeld: (chars: number) => void
  /** One large answer at a time. Resolves to what unlocks it. */
  readonly lock: () => Promise<() => void>
}
type Holding = { readonly hold: (chars: number) => void; readonly release: () => void }
type Reading = Holding & Pick<Listeners, 'onStream'> & { readonly waitForLock: () => Promise<void> }

async function* read(responded: Promise<IncomingMessage>, { onStream, hold, release, waitForLock }: Reading): AsyncGenerator<Answer> {
  const response = await responded
  const length = Number(response.headers['content-length'] ?? 0)
  if (length > largeChars) {
    // Until then it is bytes, which all who ask for the schema share.
    hold(length)
    await waitForLock()
    release()
  }
  response.setEncoding('utf8')
  if (response.headers['content-type']?.startsWith('text/event-stream')) {
    onStream()
    yield* readEvents(response, { hold, release })
  } else {
    yield await readWhole(response, { hold, release })
  }
}

/** A function of its own, because a generator holds its variables until somebody asks for the next result. */
async function readWhole(response: IncomingMessage, { hold, release }: Holding): Promise<Answer> {
  let text = ''
  for await (const piece of piecesOf(response)) {
    text += piece
    hold(piece.length)
    if (text.length > maxAnswerChars) throw new AppError('INVALID_INPUT', { detail: tooLarge })
  }
  if (text.length > largeChars) await nextSlice()
  if (response.headers['content-type']?.startsWith('application/problem+json')) throw refusalIn(text)
  const result = resultOf(text)
  if (result.data === undefined) throw result.errors ? new RefusedOperation(result.errors) : new AppError('PROVIDER_ANSWER_INVALID')
  release()
  return new Answer(result)
}

async function* readEvents(response: IncomingMessage, { hold, release }: Holding): AsyncGenerator<Answer> {
  const results: FormattedExecutionResult[] = []
  let isComplete = false
  let isFirst = true
  const parser = createParser({
    maxBufferSize: maxEventChars,
    onEvent({ event, data }) {
      if (event === 'complete') isComplete = true
      else if (event === undefined || event === 'next') results.push(resultOf(data))
    },
  })
  for await (const piece of piecesOf(response)) {
    hold(piece.length)
    parser.feed(piece)
    if (results.length > 0) release()
    for (const result of results.splice(0)) {
      if (isFirst && isInvalid(result)) throw new RefusedOperation(result.errors ?? [])
      isFirst = false
      yield new Answer(result)
    }
    if (isComplete) return
  }
  // Without its last event the stream has broken off.
  throw new AppError('PROVIDER_UNAVAILABLE')
}

/** The stitched schema refuses a subscription only after the stream has begun. One that ran ends with another code. */
function isInvalid({ data, errors = [] }: FormattedExecutionResult): boolean {
  return data === undefined && errors.length > 0 && errors.every(({ extensions }) => extensions?.['code'] === 'BAD_USER_INPUT')
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
