import type { Operation } from './operations.ts'

export type BytesOf = (request: Operation & { readonly token?: string; readonly type?: string }) => Buffer

/** A request as it goes over the connection. */
export function createBytesOf({ host }: URL): BytesOf {
  return ({ path, body, token, type = 'application/json' }) => {
    const head = [`${body === null ? 'GET' : 'POST'} ${path} HTTP/1.1`, `host: ${host}`, 'accept: application/json']
    if (token !== undefined) head.push(`authorization: Bearer ${token}`)
    if (body !== null) head.push(`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`)
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
  }
}
