import { graphqlError, type Json, isJson } from '../errors/read-errors.ts'
import { type Connection, members, type RequestOptions, send } from '../transport.ts'
import { documentOf, type Operation, type OperationKind } from './document.ts'
import { resultsOf } from './event-stream.ts'
import type { Mutation, Query } from './generated.ts'
import type { Exact, Selected, Selection } from './selection.ts'

type Roots = { readonly query: Query; readonly mutation: Mutation }
export type Sending = { readonly operation: Operation; readonly token: string | null }

/** The data of a query or mutation. Throws a ServiceError if the answer has any error. */
export async function requestData(connection: Connection, { operation, token }: Sending, options?: RequestOptions): Promise<Json> {
  const headers = { accept: 'application/json' }
  const answer = members(await send(connection, { method: 'POST', path: '/graphql', headers, token, body: operation }, options))
  const error = graphqlError(answer)
  if (error) throw error
  return isJson(answer['data']) ? answer['data'] : {}
}

/** A subscription by server-sent events: its results. */
export async function openEventStream(
  connection: Connection,
  { operation, token }: Sending,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  const headers = { accept: 'text/event-stream' }
  const answer = await send(connection, { method: 'POST', path: '/graphql', headers, token, body: operation }, { signal })
  return resultsOf(answer, connection.timers)
}

/** The operation of a selection that the compiler checks. */
export function operationOf<Kind extends keyof Roots, const Given extends Selection<Roots[Kind]>>(
  kind: Kind & OperationKind,
  selection: Given & Exact<Given, Selection<Roots[Kind]>>,
): TypedOperation<Selected<Roots[Kind], Given>> {
  return { operation: documentOf(kind, selection) }
}

/** An operation that knows the type of its data. */
export type TypedOperation<Data> = { readonly operation: Operation; readonly data?: Data }

/** The service answers what the schema says: its data have the type of their selection. */
export function typed<Data>(data: Json): Data
export function typed(data: unknown): unknown {
  return data
}
