import type { IncomingHttpHeaders } from 'node:http'
import { parse } from 'content-type'

/** Type and subtype of a `Content-Type`, in lower case; empty without a header. */
export function mediaTypeOf(contentType: string | null | undefined): string {
  return parse(contentType ?? '', { parameters: false }).type
}

/** Whether the body is JSON in UTF-8 that is not compressed. Other parameters have no meaning for JSON (RFC 8259, 11), so they are ignored. */
export function isPlainJson({ 'content-type': contentType, 'content-encoding': encoding }: IncomingHttpHeaders): boolean {
  if (contentType === undefined || (encoding !== undefined && encoding.toLowerCase() !== 'identity')) return false
  // What most clients send.
  if (contentType === 'application/json') return true
  const { type, parameters } = parse(contentType)
  return type === 'application/json' && isUtf8(parameters['charset'])
}

/** Whether a `charset` is that of JSON, or there is none. */
export function isUtf8(charset = ''): boolean {
  return ['', 'utf-8', 'utf8'].includes(charset.toLowerCase())
}

/** RFC 2046, 5.1.1. */
const boundaryForm = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

/** The boundary of `multipart/form-data`; null for every other type. */
export function boundaryOf(contentType = ''): string | null {
  const { type, parameters } = parse(contentType)
  const { boundary = '' } = parameters
  return type === 'multipart/form-data' && boundaryForm.test(boundary) ? boundary : null
}
