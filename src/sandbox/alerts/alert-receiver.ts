import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '../stand-in.ts'

/** The secret that the receiver shares with the service. */
export const alertSecret = `whsec_${Buffer.from('the secret of the alert receiver').toString('base64')}`

const alertSchema = z.strictObject({
  workspaceId: z.uuid(),
  id: z.uuid(),
  kind: z.string().regex(/^[A-Z_]+$/),
  subjectId: z.string().nullable(),
  value: z.int(),
  threshold: z.int(),
  raisedAt: z.iso.datetime(),
  clearedAt: z.iso.datetime().nullable(),
})
const messageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('alert.raised'), timestamp: z.iso.datetime(), data: alertSchema.extend({ clearedAt: z.null() }) }),
  z.strictObject({
    type: z.literal('alert.cleared'),
    timestamp: z.iso.datetime(),
    data: alertSchema.extend({ clearedAt: z.iso.datetime() }),
  }),
  z.strictObject({ type: z.literal('alert.test'), timestamp: z.iso.datetime(), data: z.null() }),
])
export type ReceivedAlert = z.output<typeof messageSchema> & { readonly webhookId: string }

/** A system of the hospital that receives alerts and verifies them as Standard Webhooks says. */
export interface AlertReceiver extends StandIn {
  /** The accepted messages, each id once, in the order in which they came. */
  received(): readonly ReceivedAlert[]
  /** How many accepted messages had an id that was accepted before. */
  repeated(): number
}

const toleranceSeconds = 300

export async function startAlertReceiver({ clock, port }: { readonly clock: Clock; readonly port?: number }): Promise<AlertReceiver> {
  const received = new Map<string, ReceivedAlert>()
  let repeated = 0
  const handle = (request: StandInRequest): StandInAnswer => {
    const fault = faultOf(request, clock)
    if (fault !== null) return { status: 401, body: { error: fault } }
    const message = messageSchema.safeParse(jsonOf(request.body))
    if (!message.success) return { status: 422, body: { error: z.prettifyError(message.error) } }
    const webhookId = String(request.headers['webhook-id'])
    if (received.has(webhookId)) repeated += 1
    else received.set(webhookId, { ...message.data, webhookId })
    return { status: 204, body: '' }
  }
  const standIn = await startStandIn({
    name: 'alerts',
    handle,
    commands: { received: () => [...received.values()] },
    ...(port !== undefined && { port }),
  })
  return { ...standIn, received: () => [...received.values()], repeated: () => repeated }
}

/** Why the message cannot be trusted; null if it can. */
function faultOf({ method, path, headers, body }: StandInRequest, clock: Clock): string | null {
  const [id, seconds, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name])
  if (method !== 'POST' || path !== '/alerts') return 'POST /alerts is the only operation'
  if (headers['content-type'] !== 'application/json') return 'the content type must be application/json'
  if (typeof id !== 'string' || typeof seconds !== 'string' || typeof signatures !== 'string') return 'a header is missing'
  if (!/^\d{10}$/.test(seconds)) return 'the timestamp must be in seconds'
  if (Math.abs(clock.now() / 1_000 - Number(seconds)) > toleranceSeconds) return 'the timestamp is too far from now'
  const key = Buffer.from(alertSecret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest()
  const given = signatures
    .split(' ')
    .flatMap((signature) => (signature.startsWith('v1,') ? [Buffer.from(signature.slice(3), 'base64')] : []))
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected)) ? null : 'the signature is wrong'
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
