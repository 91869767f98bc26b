import { invalidInput } from '../../kernel/errors.ts'
import { isPrototypeName } from '../../kernel/prototype-names.ts'
import type { HttpContext } from '../http/http-context.ts'
import { readJson } from '../http/json-body.ts'
import type { RestRequest } from './variables.ts'

/** Reads a request for its row. Throws BodyTooLarge, UnsupportedMediaType and INVALID_INPUT. */
export async function readRestRequest(ctx: HttpContext, parameters: Readonly<Record<string, string>>): Promise<RestRequest> {
  const { request } = ctx
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return {
    path: Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, decoded(name, text)])),
    query: new URLSearchParams(ctx.query),
    ifMatch: entityTag(request.headers['if-match']),
    body: isRead ? undefined : await readJson(ctx),
  }
}

function decoded(name: string, encoded: string): string {
  let text: string
  try {
    text = decodeURIComponent(encoded)
  } catch {
    throw invalidInput(name, 'is not valid percent-encoding')
  }
  if (isPrototypeName(text)) throw invalidInput(name, 'must not be __proto__, constructor or prototype')
  return text
}

/** The tag without its quotes. Null for `*`, which matches every version. */
function entityTag(header: string | undefined): string | null {
  const tag = header?.trim().replace(/^W\//, '').replaceAll(/^"|"$/g, '')
  return tag === undefined || tag === '*' || tag === '' ? null : tag
}
