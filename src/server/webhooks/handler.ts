import type { CallPorts } from '../../features/calls/state/call-ports.ts'
import { noteRefusedWebhook, receiveWebhook, type Webhook, type WebhookPath } from '../../features/calls/webhooks/receive-webhook.ts'
import { AppError } from '../../kernel/errors.ts'
import { BodyTooLarge, readBody } from '../http/body.ts'
import { mediaTypeOf } from '../http/media-types.ts'
import { onlyMethods, problemHandler, unknownPath } from '../http/routes.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'

/** Known webhooks have a few kilobytes. */
const largestBytes = 262_144
const pathForm = /^\/hooks\/telephony\/([a-z][a-z0-9-]{0,31})\/([\w-]{20,100})$/
const accepted = JSON.stringify({ accepted: true })

/** `/hooks/*`: webhooks of the telephony providers. The path has the key in it, so no log and no response has the path. */
export function createWebhookHandler({
  ports,
  allowsAddress = null,
}: {
  readonly ports: Pick<CallPorts, 'clock' | 'store' | 'telephonyWebhooksOf' | 'webhookInbox' | 'webhookLog'>
  /** Whether webhooks may come from this address; without it, all may. */
  readonly allowsAddress?: ((address: string) => boolean) | null
}): Handler {
  return problemHandler(
    onlyMethods(['POST'], async (ctx) => {
      const [, provider, key] = pathForm.exec(ctx.path) ?? []
      if (provider === undefined || key === undefined) return unknownPath(ctx)
      const bytes = await readAllowed({ ports, allowsAddress }, { provider, key }, ctx)
      await receiveWebhook(ports, { provider, key, ...(await readForm(bytes, contentTypeOf(ctx))) })
      ctx.response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(accepted)
    }),
  )
}

/** The body. Throws NOT_YOURS if webhooks may not come from this address, BodyTooLarge; the log of webhooks has both. */
async function readAllowed(
  { ports, allowsAddress = null }: Parameters<typeof createWebhookHandler>[0],
  path: WebhookPath,
  ctx: HttpContext,
): Promise<Buffer> {
  try {
    if (allowsAddress && !allowsAddress(ctx.clientAddress)) {
      throw new AppError('NOT_YOURS', { detail: 'Webhooks from this address are not allowed' })
    }
    return await readBody(ctx, largestBytes)
  } catch (error) {
    const isRefused = error instanceof BodyTooLarge || (error instanceof AppError && error.reason === 'NOT_YOURS')
    if (isRefused) await noteRefusedWebhook(ports, path, error).catch(() => undefined)
    throw error
  }
}

function contentTypeOf({ request }: HttpContext): string {
  return request.headers['content-type'] ?? ''
}

/**
 * A form in parts (RFC 7578) as an encoded one, so that providers know one kind of form. One that cannot be read has no fields, and so is refused.
 * One without its last boundary too: nobody knows whether its last field is whole, and the provider's records, which are asked then, have all.
 */
async function readForm(bytes: Buffer, contentType: string): Promise<Pick<Webhook, 'body' | 'contentType'>> {
  if (mediaTypeOf(contentType) !== 'multipart/form-data') return { body: bytes.toString('utf8'), contentType }
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => new FormData())
  const fields = new URLSearchParams()
  for (const [name, value] of form) fields.append(name, typeof value === 'string' ? value : await value.text())
  return { body: fields.toString(), contentType: 'application/x-www-form-urlencoded' }
}
