import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Admission } from './admission.ts'
import type { Arrived, BeginQueue } from './begin-queue.ts'
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
  readonly queue: Pick<BeginQueue, 'makeRoom' | 'hold' | 'isModest'>
  /** The paths of GraphQL requests. */
  readonly isGraphql: (path: string) => boolean
  /** CORS headers of the response. */
  readonly corsOf: (request: IncomingMessage) => readonly string[]
  /** The client's network. */
  readonly networkOf: (request: IncomingMessage) => string
  /** Called for each refused request. */
  readonly onRefused: (request: IncomingMessage) => void
  /** Refusals are not held back any more. */
  readonly isStopping: () => boolean
}

/** Vital requests begin at once, the others in a round of the event loop that has time for them. */
type Begin = { readonly begin: (arrived: Arrived) => void; readonly beginQueued: (arrived: Arrived) => void }
type Refused = Pick<Arrived, 'request' | 'response'>

/**
 * In an overload: calls `begin` or `beginQueued`, or refuses a request, before its body is read and before anything else is done for it: this one, or one that
 * waits, of somebody who has more. A stream begins only at the cost of another request.
 */
export function beginOrShed(arrived: Arrived, shedding: Shedding & Begin): void {
  const { admission, queue, begin, beginQueued } = shedding
  const { request } = arrived
  const admitted = (beginIt: (arrived: Arrived) => void): void => beginIt(countedBy(admission, arrived))
  const isAdmitted = admission.admits(queue.isModest(request))
  if (isVital(request)) {
    if (isAdmitted || admission.admitsVital(shedding.networkOf(request))) return admitted(begin)
    return shed(arrived, shedding)
  }
  if (isAdmitted && !isStream(request)) return admitted(beginQueued)
  if (queue.makeRoom(request)) return admitted(beginQueued)
  refuse(arrived, shedding, () => admitted(begin))
}

/** It counts until its answer is over, or until it is refused in the queue. */
function countedBy(admission: Admission, { request, response, begin, refuse: refuseIt }: Arrived): Arrived {
  const end = (): void => admission.end()
  admission.begin()
  response.once('close', end)
  return {
    request,
    response,
    begin,
    refuse() {
      response.off('close', end)
      end()
      refuseIt()
    },
  }
}

/** A small GraphQL request is read before it is refused: it may be a heartbeat. */
export function refuse({ request, response }: Refused, shedding: Shedding, begin: () => void): void {
  const { admission, isGraphql, networkOf } = shedding
  if (request.method !== 'POST' || !isGraphql(pathOf(request))) return shed({ request, response }, shedding)
  readVital(request, (isVitalOperation) => {
    if (isVitalOperation && admission.admitsVital(networkOf(request))) begin()
    else shed({ request, response }, shedding)
  })
}

/**
 * A client without patience sends again at once after a refusal, and a thousand refusals cost as much as a hundred answers. So the refusals of who gets many
 * are held back for the time after which the client should try again; if too many are, its connection is closed.
 */
function shed({ request, response }: Refused, shedding: Shedding): void {
  const { admission, queue, onRefused, isStopping } = shedding
  admission.refuse()
  onRefused(request)
  const held = isStopping() ? 'SEND' : queue.hold(request)
  if (held === 'SEND') return sendRefusal({ request, response }, shedding)
  if (held === 'NEVER_SEND') return void request.socket.destroy()
  const timer = setTimeout(() => sendRefusal({ request, response }, shedding), retryAfterSeconds * 1_000)
  response.once('close', () => {
    clearTimeout(timer)
    held()
  })
}

function sendRefusal({ request, response }: Refused, { isGraphql, corsOf }: Shedding): void {
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
