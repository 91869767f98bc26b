import { AppError, invalidInput } from '../../kernel/errors.ts'
import { parseExactJson } from '../../kernel/exact-json.ts'
import { readBody } from '../body.ts'
import type { Exchange } from '../exchange.ts'
import { bodyFault, type RestRequest } from './variables.ts'

/** A body that is no JSON by its own account; answered with 415. */
export class UnsupportedMediaType extends AppError {
  constructor() {
    super('INVALID_INPUT', { detail: 'The request body must be sent as application/json, in UTF-8 and without a content encoding' })
  }
}

/** Reads a request for its row. Throws BodyTooLarge, UnsupportedMediaType and INVALID_INPUT. */
export async function readRestRequest(exchange: Exchange, parameters: Readonly<Record<string, string>>): Promise<RestRequest> {
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

async function readJson(exchange: Exchange): Promise<unknown> {
  const bytes = await readBody(exchange)
  if (bytes.length === 0) return undefined
  if (!isJson(exchange.request.headers)) throw new UnsupportedMediaType()
  const body = parse(bytes)
  if (body === undefined) throw new AppError('INVALID_INPUT', bodyFault('is not valid JSON'))
  return body
}

const jsonType = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i

function isJson(headers: Exchange['request']['headers']): boolean {
  const encoding = headers['content-encoding']
  return jsonType.test(headers['content-type'] ?? '') && (encoding === undefined || encoding === 'identity')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Uint8Array): unknown {
  try {
    return parseExactJson(utf8.decode(bytes))
  } catch {
    return undefined
  }
}
