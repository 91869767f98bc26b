import { type Connection, type RequestOptions, send } from '../transport.ts'
import type { RestOperations } from './generated.ts'

type Request<Name extends keyof RestOperations> = Omit<RestOperations[Name], 'answer'>

/** The parts of a request that the operation has: `path`, `query`, `headers`, `body`. May be left out if none is required. */
export type RestParameters<Name extends keyof RestOperations> =
  Partial<Request<Name>> extends Request<Name>
    ? [request?: Request<Name>, options?: RequestOptions]
    : [request: Request<Name>, options?: RequestOptions]

export type RestAnswer<Name extends keyof RestOperations> = RestOperations[Name]['answer']

export interface RestRequest {
  readonly path?: object
  readonly query?: object
  readonly headers?: object
  readonly body?: unknown
}

/** Operations that need no token: a stale one would be refused. */
const publicPath = /^\/auth\/(?:login|tokens|refresh)$|^\/api\/widget\//

export function isPublic(operation: string): boolean {
  return publicPath.test(pathOf(operation))
}

function pathOf(operation: string): string {
  return operation.slice(operation.indexOf(' ') + 1)
}

export interface RestWithResponse<Answer> {
  /** What `rest` gives. */
  readonly answer: Answer
  /** For its status and headers: `location` of an answer with the status 202. A JSON answer has been read from it already. */
  readonly response: Response
  /** Of a list that is read page by page: send it as `after` to get the next page. Null on the last page. */
  readonly nextAfter: string | null
}

/** Sends a REST request. JSON comes as its value, an empty answer as null, everything else as the response. */
export async function sendRest(
  connection: Connection,
  { operation, request, token }: { readonly operation: string; readonly request: RestRequest; readonly token: string | null },
  options: RequestOptions | undefined,
): Promise<RestWithResponse<unknown>> {
  const { path: values = {}, query = {}, headers = {}, body } = request
  const inPath = new Map<string, unknown>(Object.entries(values))
  const path = pathOf(operation).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath.get(name))))
  const search = new URLSearchParams(textsOf(query)).toString()
  const method = operation.slice(0, operation.indexOf(' '))
  const sent = { method, path: search === '' ? path : `${path}?${search}`, headers: Object.fromEntries(textsOf(headers)), token, body }
  const { json, response } = await send(connection, sent, options)
  const answer = json !== null || response.status === 204 || response.bodyUsed ? json : response
  return { answer, response, nextAfter: nextAfter(response.headers.get('link') ?? '') }
}

/** `</api/calls/missed?first=50&after=abc>; rel="next"`. */
function nextAfter(link: string): string | null {
  const [address = '', relation] = link.split('>; ')
  return relation === 'rel="next"' ? new URLSearchParams(address.slice(address.indexOf('?'))).get('after') : null
}

function textsOf(values: object): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name, String(value)]]))
}
