import { addDuration, type Durations, newDurations } from '../../kernel/durations.ts'
import type { HttpContext } from '../http/http-context.ts'

/** What the HTTP server counts. Plain numbers on the hot path; prom-client reads them for each scrape. */
export type HttpFigures = {
  /** By route, then by method and status in one number. */
  readonly requests: Map<string, Map<number, Durations>>
  /** By the name of the GraphQL operation. `failed`: the answer is an error. */
  readonly operations: Map<string, { readonly answered: Durations; readonly failed: Durations }>
  readonly aborted: Record<'CLIENT_LEFT' | 'DEADLINE', number>
  /** Connections that the service closed. */
  readonly closed: Record<'refused' | 'displaced' | 'lingering' | 'pipelined' | 'unread', number>
}

export function createHttpFigures(): HttpFigures {
  return {
    requests: new Map(),
    operations: new Map(),
    aborted: { CLIENT_LEFT: 0, DEADLINE: 0 },
    closed: { refused: 0, displaced: 0, lingering: 0, pipelined: 0, unread: 0 },
  }
}

/** Other methods count as the last one: a client must not be able to add series. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', '_OTHER'] as const
/** What nginx writes if the client left before the answer began. */
const clientLeft = 499

/** What the client got, or would have got. */
export function statusOf({ aborted, response }: HttpContext): number {
  return aborted === 'CLIENT_LEFT' && !response.headersSent ? clientLeft : response.statusCode
}

/** Counts a request that is over. */
export function countRequest(ctx: HttpContext, figures: HttpFigures): void {
  const { aborted, request, route, operation } = ctx
  const status = statusOf(ctx)
  const seconds = ctx.tookMs() / 1_000
  addDuration(seriesOf(figures, route, keyOf(request.method, status)), seconds)
  // A client that leaves says nothing about the operation.
  if (operation !== null && aborted !== 'CLIENT_LEFT')
    countOperation(figures, { operation, seconds, hasFailed: ctx.hasFailed || status >= 400 })
  // A web socket always ends without an answer.
  if (aborted && status !== 101) figures.aborted[aborted] += 1
}

function seriesOf({ requests }: HttpFigures, route: string, key: number): Durations {
  const known = requests.get(route)?.get(key)
  if (known) return known
  const durations = newDurations()
  requests.set(route, (requests.get(route) ?? new Map<number, Durations>()).set(key, durations))
  return durations
}

type Counted = { readonly operation: string; readonly seconds: number; readonly hasFailed: boolean }

function countOperation({ operations }: HttpFigures, { operation, seconds, hasFailed }: Counted): void {
  let durations = operations.get(operation)
  if (!durations) {
    durations = { answered: newDurations(), failed: newDurations() }
    operations.set(operation, durations)
  }
  addDuration(hasFailed ? durations.failed : durations.answered, seconds)
}

function keyOf(method: string | undefined, status: number): number {
  const index = methods.findIndex((known) => known === method)
  return (index < 0 ? methods.length - 1 : index) * 1_000 + status
}

/** The method and the status of a key. */
export function readKey(key: number): { readonly method: string; readonly status: string } {
  return { method: methods[Math.trunc(key / 1_000)] ?? '_OTHER', status: String(key % 1_000) }
}
