import { AppError, type FieldFault } from '../../kernel/errors.ts'
import { parseExactJson } from '../../kernel/exact-json.ts'
import { readBody } from './body.ts'
import type { HttpContext } from './http-context.ts'
import { isPlainJson } from './media-types.ts'
import { bodyLimits, checkJson } from '../../kernel/json-limits.ts'

/** The content type is not JSON. Handlers answer it with status 415. */
export class UnsupportedMediaType extends AppError {
  constructor() {
    super('INVALID_INPUT', { detail: 'The request body must be sent as application/json, in UTF-8 and without a content encoding' })
  }
}

/** The body as JSON; undefined if it is empty. Throws BodyTooLarge, UnsupportedMediaType or INVALID_INPUT. */
export async function readJson(ctx: HttpContext, limitBytes?: number): Promise<unknown> {
  const bytes = await readBody(ctx, limitBytes)
  if (bytes.length === 0) return undefined
  if (!isPlainJson(ctx.request.headers)) throw new UnsupportedMediaType()
  checkJson(bytes, bodyLimits)
  const body = parse(bytes)
  if (body === undefined) throw new AppError('INVALID_INPUT', bodyFault('is not valid JSON'))
  return body
}

export function bodyFault(message: string) {
  const fields: readonly FieldFault[] = [{ path: 'body', message }]
  return { detail: `The request body ${message}`, data: { fields } }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Uint8Array): unknown {
  try {
    return parseExactJson(utf8.decode(bytes))
  } catch {
    return undefined
  }
}
