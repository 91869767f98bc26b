import type { CallPorts } from '../../features/calls/state/call-ports.ts'
import { noteRefusedWebhook, receiveWebhook, type WebhookPath } from '../../features/calls/webhooks/receive-webhook.ts'
import { AppError } from '../../kernel/errors.ts'
import { BodyTooLarge, readBody } from '../http/body.ts'
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
      const body = await readAllowed({ ports, allowsAddress }, { provider, key }, ctx)
      await receiveWebhook(ports, { provider, key, contentType: contentTypeOf(ctx), body })
      ctx.response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(accepted)
    }),
  )
}

/** The body. Throws NOT_YOURS if webhooks may not come from this address, BodyTooLarge; the log of webhooks has both. */
async function readAllowed(
  { ports, allowsAddress = null }: Parameters<typeof createWebhookHandler>[0],
  path: WebhookPath,
  ctx: HttpContext,
): Promise<string> {
  try {
    if (allowsAddress && !allowsAddress(ctx.clientAddress)) {
      throw new AppError('NOT_YOURS', { detail: 'Webhooks from this address are not allowed' })
    }
    return (await readBody(ctx, largestBytes)).toString('utf8')
  } catch (error) {
    const isRefused = error instanceof BodyTooLarge || (error instanceof AppError && error.reason === 'NOT_YOURS')
    if (isRefused) await noteRefusedWebhook(ports, path, error).catch(() => undefined)
    throw error
  }
}

function contentTypeOf({ request }: HttpContext): string {
  return request.headers['content-type'] ?? ''
}
