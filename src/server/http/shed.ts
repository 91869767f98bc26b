import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Admission } from './admission.ts'
import { leaveBody } from './body.ts'
import { problemOf } from './problem.ts'
import { securityHeaders } from './security-headers.ts'

/** What is lost if nobody takes it: webhooks, and the requests that end a session or prevent its end. And what shows how the service is. */
const vitalPaths: ReadonlySet<string> = new Set(['/auth/heartbeat', '/auth/logout', '/health', '/ready', '/metrics'])
const vitalPrefix = '/hooks/'
/** The same as root fields. A name in another place of the document counts too: that is cheaper than parsing, and gains a client little. */
const vitalFields = /\b(?:heartbeat|agentLogout)\b/
/** Heartbeats and sign-outs are smaller. */
const smallBody = 4_096

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
}

/**
 * In an overload: calls `begin`, or refuses the request, before its body is read and before anything else is done for it. During an overload no stream begins.
 * A small GraphQL request that would be refused is read first: it may be a heartbeat.
 */
export function beginOrShed(request: IncomingMessage, response: ServerResponse, shedding: Shedding & { readonly begin: () => void }): void {
  const { admission, isGraphql } = shedding
  const begin = (): void => {
    admission.begin()
    response.once('close', () => admission.end())
    shedding.begin()
  }
  if (admission.admits() && !isStream(request)) return begin()
  const path = pathOf(request)
  if (request.method === 'OPTIONS' || vitalPaths.has(path) || path.startsWith(vitalPrefix)) return begin()
  if (request.method !== 'POST' || !isGraphql(path) || !isSmall(request)) return shed(request, response, shedding)
  request.once('readable', () => {
    const body: unknown = request.read()
    if (!Buffer.isBuffer(body) || !vitalFields.test(body.toString('latin1'))) return shed(request, response, shedding)
    request.unshift(body)
    begin()
  })
}

function shed(request: IncomingMessage, response: ServerResponse, { admission, isGraphql, corsOf }: Shedding): void {
  admission.refuse()
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

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** Clients that name streams for every operation name other types before. */
function isStream({ headers }: IncomingMessage): boolean {
  return headers.accept?.startsWith('text/event-stream') ?? false
}

function isSmall({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? Number.NaN)
  return length > 0 && length <= smallBody
}
