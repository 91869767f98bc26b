import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

type Message = { readonly headers: IncomingHttpHeaders; readonly body: string }

/** Whether a message comes from the service. `body`: as it was received, before it is parsed. `now`: milliseconds since 1970. */
export function isFromService({ headers, body }: Message, secret: string, now = Date.now()): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers
  const isRecent = Math.abs(now / 1_000 - Number(seconds)) <= 300
  if (!isRecent) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const digest = createHmac('sha256', key)
    .update(`${String(id)}.${String(seconds)}.${body}`)
    .digest('base64')
  const expected = Buffer.from(`v1,${digest}`)
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
