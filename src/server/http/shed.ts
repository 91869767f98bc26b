import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Admission } from './admission.ts'
import { leaveBody } from './body.ts'
import { problemOf } from './problem.ts'
import { securityHeaders } from './security-headers.ts'
import { isVital, pathOf, readVital } from './vital-requests.ts'

const retryAfterSeconds = 2
const overload = new AppError('OVERLOADED', {
  detail: `The service has more requests than it can answer. Try again in ${retryAfterSeconds} s`,
  data: { retryAfterSeconds },
})
const { code, reason, retryable, data, message } = overload
// Prepared, because a refusal must cost little. The request's id is between the two pieces.
const mark = '<request id>'
const problemPieces = JSON.stringify(problemOf(overload, mark)).split(mark)
const graphqlPieces = JSON.stringify({ errors: [{ message, extensions: { code, reason, retryable, requestId: mark, data } }] }).split(mark)

export type Shedding = {
  readonly admission: Admission
  /** The paths of GraphQL requests. */
  readonly isGraphql: (path: string) => boolean
  /** CORS headers of the response. */
  readonly corsOf: (request: IncomingMessage) => readonly string[]
  /** The client's network. */
  readonly networkOf: (request: IncomingMessage) => string
  /** Called for each refused request. */
  readonly onRefused: (request: IncomingMessage) => void
}

/** Vital requests begin at once, the others in a round of the event loop that has time for them. */
type Begin = { readonly begin: () => void; readonly beginQueued: () => void }

/**
 * In an overload: calls `begin` or `beginQueued`, or refuses the request, before its body is read and before anything else is done for it. During an overload no stream begins.
 * A small GraphQL request that would be refused is read first: it may be a heartbeat.
 */
export function beginOrShed(request: IncomingMessage, response: ServerResponse, shedding: Shedding & Begin): void {
  const { admission, isGraphql, networkOf } = shedding
  const admitted = (begin: () => void): void => {
    admission.begin()
    response.once('close', () => admission.end())
    begin()
  }
  const beginVital = (): void => (admission.admitsVital(networkOf(request)) ? admitted(shedding.begin) : shed(request, response, shedding))
  if (isVital(request)) return admission.admits() ? admitted(shedding.begin) : beginVital()
  if (admission.admits() && !isStream(request)) return admitted(shedding.beginQueued)
  if (request.method !== 'POST' || !isGraphql(pathOf(request))) return shed(request, response, shedding)
  readVital(request, (isVitalOperation) => (isVitalOperation ? beginVital() : shed(request, response, shedding)))
}

function shed(request: IncomingMessage, response: ServerResponse, { admission, isGraphql, corsOf, onRefused }: Shedding): void {
  admission.refuse()
  onRefused(request)
  const given = request.headers['x-request-id']
  const requestId = typeof given === 'string' && saneId.test(given) ? given : newId()
  const isForGraphql = isGraphql(pathOf(request))
  const body = (isForGraphql ? graphqlPieces : problemPieces).join(requestId)
  const type = isForGraphql ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8'
  const head = ['content-type', type, 'content-length', String(body.length), 'cache-control', 'no-store']
  head.push('retry-after', String(retryAfterSeconds), 'x-request-id', requestId, ...securityHeaders)
  if (request.headers.origin !== undefined) head.push(...corsOf(request))
  leaveBody({ request, response })
  response.writeHead(503, head)
  // In this encoding head and body are one write.
  response.end(request.method === 'HEAD' ? '' : body, 'latin1')
}

/** In an overload no web socket begins. Those that are open stay. */
export function shedUpgrade(socket: Duplex, admission: Admission): void {
  admission.refuse()
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 503 Service Unavailable\r\nretry-after: ${retryAfterSeconds}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

const saneId = /^[\w.:-]{1,128}$/

/** Clients that name streams for every operation name other types before. */
function isStream({ headers }: IncomingMessage): boolean {
  return headers.accept?.startsWith('text/event-stream') ?? false
}
