import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

/** A request to a stand-in, read whole. `operation` is its name (a path, or GraphQL root fields) for faults and counts. */
export type StandInRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** An answer of a stand-in. An object becomes JSON; a stream is written piece by piece. */
export type StandInAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | Readonly<Record<string, unknown>> | readonly unknown[]
}

const faultSchema = z.strictObject({
  /** Matches an operation that contains this text; every operation when left out. */
  operation: z.string().optional(),
  /** How many requests it applies to; all until cleared when left out. */
  times: z.int().positive().optional(),
  /** How many matching requests pass before the first that is hit. */
  skip: z.int().nonnegative().default(0),
  delayMs: z.number().nonnegative().default(0),
  /** `answer`: after the delay the stand-in works as usual. `refuse`: the given status and body instead. `hang`: never. `cut`: the connection is closed. `cutAfter`: works, then the connection is closed before the answer (a lost answer). */
  act: z.enum(['answer', 'refuse', 'hang', 'cut', 'cutAfter']).default('answer'),
  status: z.int().default(500),
  body: z.string().default(''),
  contentType: z.string().default('application/json'),
})
/** A fault that a test injects into a stand-in. */
export type Fault = z.input<typeof faultSchema>
type LiveFault = z.output<typeof faultSchema>

/** One request that a stand-in saw. */
export type SeenCall = {
  readonly at: number
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A simulated third party on its own loopback port of this process. It accepts the same commands in process and on `/_sandbox/...`. */
export interface StandIn extends AsyncDisposable {
  readonly name: string
  readonly url: string
  fault(fault: Fault): void
  clearFaults(): void
  /** Requests of operations that contain this text are worked on at once, but answered only when the returned function is called. */
  holdAnswers(operation: string): () => void
  /** The received requests, newest last; at most the last 20,000. Without those that only ask whether it answers, which come when they will. */
  calls(operation?: string): readonly SeenCall[]
  forgetCalls(): void
  /** How many answers were not read to their end because the client disconnected. */
  left(operation?: string): number
}

export type StandInOptions = {
  readonly name: string
  /** Answers a request. If it throws, the stand-in itself has failed, and the answer is 500. */
  readonly handle: (request: StandInRequest) => Promise<StandInAnswer> | StandInAnswer
  /** The name of the requested operation, for faults and counts. Default: method and path. */
  readonly operationOf?: (request: StandInRequest) => string
  /** Further commands: `POST /_sandbox/<name>` with a JSON body. */
  readonly commands?: Readonly<Record<string, (input: unknown) => unknown>>
  readonly port?: number
}

/** Published on the diagnostics channel `sandbox:answer` for every request that a stand-in has answered itself. */
export type ReceivedAnswer = { readonly standIn: string; readonly request: StandInRequest; readonly answer: StandInAnswer }
const answers = channel('sandbox:answer')

const maxSeenCalls = 20_000
const cutHere = new WeakSet<ServerResponse>()

function cut(response: ServerResponse): void {
  cutHere.add(response)
  response.destroy()
}

export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const faults = createFaults()
  const holds = new Map<string, Promise<void>>()
  const record = createRecord()
  const operationOf = options.operationOf ?? ((request: StandInRequest) => `${request.method} ${request.path}`)
  const operationIn = (input: unknown) => z.object({ operation: z.string().optional() }).parse(input ?? {}).operation
  const commands: Record<string, (input: unknown) => unknown> = {
    ...options.commands,
    fault: (input) => faults.add(faultSchema.parse(input)),
    'clear-faults': () => faults.clear(),
    calls: (input) => record.calls(operationIn(input)),
    'forget-calls': () => record.clear(),
    left: (input) => record.left(operationIn(input)),
  }

  const answer = async (request: StandInRequest, response: ServerResponse): Promise<void> => {
    const operation = operationOf(request)
    record.add(operation, request, response)
    const fault = faults.next(operation)
    if (fault && fault.delayMs > 0) await delay(fault.delayMs)
    if (fault?.act === 'hang') return
    if (fault?.act === 'cut') return cut(response)
    if (fault?.act === 'refuse')
      return send(response, { status: fault.status, headers: { 'content-type': fault.contentType }, body: fault.body })
    const result = await options.handle(request)
    for (const [held, released] of holds) if (operation.includes(held)) await released
    if (answers.hasSubscribers) answers.publish({ standIn: options.name, request, answer: result } satisfies ReceivedAnswer)
    if (fault?.act === 'cutAfter') return cut(response)
    await send(response, result)
  }

  const server = createServer((message, response) => {
    void readRequest(message)
      .then((request) => (request.path.startsWith('/_sandbox/') ? runCommand(commands, request, response) : answer(request, response)))
      .catch(async (error: unknown) => {
        if (response.headersSent) cut(response)
        else await send(response, { status: 500, body: { error: String(error) } })
      })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0

  return {
    name: options.name,
    url: `http://127.0.0.1:${port}`,
    fault: (fault) => faults.add(faultSchema.parse(fault)),
    clearFaults: () => faults.clear(),
    holdAnswers(operation) {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.set(operation, promise)
      return () => (holds.delete(operation), resolve())
    },
    calls: (operation) => record.calls(operation),
    forgetCalls: () => record.clear(),
    left: (operation) => record.left(operation),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

type Commands = Readonly<Record<string, (input: unknown) => unknown>>

async function runCommand(commands: Commands, request: StandInRequest, response: ServerResponse): Promise<void> {
  const name = request.path.slice('/_sandbox/'.length)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return send(response, { status: 404, body: { error: `commands: ${Object.keys(commands).join(', ')}` } })
  const result = await command(request.body.length > 0 ? JSON.parse(request.body.toString()) : undefined)
  return send(response, { body: { result: result ?? null } })
}

/** The faults that tests have injected, oldest first. */
function createFaults() {
  let faults: LiveFault[] = []
  return {
    add: (fault: LiveFault): void => void faults.push(fault),
    clear: (): void => void (faults = []),
    /** The fault that this request meets; counts it as used. */
    next(operation: string): LiveFault | undefined {
      for (const fault of faults) {
        if (fault.operation !== undefined && !operation.includes(fault.operation)) continue
        if (fault.skip > 0) {
          fault.skip -= 1
          continue
        }
        if (fault.times !== undefined) fault.times -= 1
        faults = faults.filter((other) => other.times === undefined || other.times > 0)
        return fault
      }
      return undefined
    },
  }
}

/** The received requests, and the number of answers that were not read to their end. */
function createRecord() {
  let seen: SeenCall[] = []
  let leavings: string[] = []
  return {
    add(operation: string, { method, path, headers, body }: StandInRequest, response: ServerResponse): void {
      if (path === '/healthz') return
      seen.push({ at: Date.now(), operation, method, path, headers, body: body.toString('utf8', 0, 65_536) })
      if (seen.length > maxSeenCalls) seen = seen.slice(-maxSeenCalls / 2)
      response.once('close', () => {
        // The stand-in did not destroy it, so the client disconnected.
        if (!response.writableFinished && !cutHere.has(response)) leavings = [...leavings, operation].slice(-maxSeenCalls)
      })
    },
    calls: (operation: string | undefined) => seen.filter((call) => operation === undefined || call.operation.includes(operation)),
    left: (operation: string | undefined) => leavings.filter((left) => operation === undefined || left.includes(operation)).length,
    clear: (): void => void ((seen = []), (leavings = [])),
  }
}

async function readRequest(message: IncomingMessage): Promise<StandInRequest> {
  const body = await buffer(message)
  const url = new URL(message.url ?? '/', 'http://stand-in')
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: message.headers,
    body,
  }
}

async function send(response: ServerResponse, answer: StandInAnswer): Promise<void> {
  const { body } = answer
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const type = body.length > 0 ? { 'content-type': 'text/plain; charset=utf-8' } : {}
    response.writeHead(answer.status ?? 200, { ...type, ...answer.headers }).end(body)
  } else if (isStream(body)) {
    response.writeHead(answer.status ?? 200, answer.headers)
    for await (const piece of body) {
      if (response.destroyed) return
      if (!response.write(piece)) await roomIn(response)
    }
    response.end()
  } else {
    response
      .writeHead(answer.status ?? 200, { 'content-type': 'application/json; charset=utf-8', ...answer.headers })
      .end(JSON.stringify(body))
  }
}

/** Resolves when the client has read the written data, or has disconnected. */
async function roomIn(response: ServerResponse): Promise<void> {
  const done = new AbortController()
  const { signal } = done
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  done.abort()
}

function isStream(body: object): body is AsyncIterable<string | Uint8Array> {
  return Symbol.asyncIterator in body
}
