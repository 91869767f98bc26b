import { invalidInput } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'
import { readJson } from '../http/json-body.ts'
import type { RestRequest } from './variables.ts'

/** Reads a request for its row. Throws BodyTooLarge, UnsupportedMediaType and INVALID_INPUT. */
export async function readRestRequest(exchange: HttpContext, parameters: Readonly<Record<string, string>>): Promise<RestRequest> {
  const { request } = exchange
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return {
    path: Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, decoded(name, text)])),
    query: new URLSearchParams(exchange.query),
    ifMatch: entityTag(request.headers['if-match']),
    body: isRead ? undefined : await readJson(exchange),
  }
}

function decoded(name: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidInput(name, 'is not percent-encoded as a path must be')
  }
}

/** The tag without its quotes; `*` asks for nothing. */
function entityTag(header: string | undefined): string | null {
  const tag = header?.trim().replace(/^W\//, '').replaceAll(/^"|"$/g, '')
  return tag === undefined || tag === '*' || tag === '' ? null : tag
}
