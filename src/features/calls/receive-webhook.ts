import { AppError } from '../../kernel/errors.ts'
import type { WebhookUpdate } from '../../ports/telephony-webhooks.ts'
import { boundedUpdate } from './bounded-update.ts'
import type { CallPorts } from './call-ports.ts'
import { noteLiveEvent } from './live-events/subscription.ts'
import { readWebhookTarget } from './webhook-keys.ts'

/** `key`: the last part of the path. */
export type Webhook = { readonly provider: string; readonly key: string; readonly contentType: string; readonly body: string }

/**
 * Accepts one webhook: finds its workspace by the key, verifies and reads it with the provider, and stores its updates. They are durable
 * when it resolves, and processed afterwards. Errors: NOT_FOUND (unknown key), INVALID_INPUT, TOKEN_REFUSED, NOT_CONFIGURED, OVERLOADED,
 * STORE_UNAVAILABLE.
 */
export async function receiveWebhook(
  ports: Pick<CallPorts, 'clock' | 'store' | 'telephonyWebhooksOf' | 'webhookInbox'>,
  { provider, key, contentType, body }: Webhook,
): Promise<void> {
  const target = await readWebhookTarget(ports, provider, key)
  if (!target) throw new AppError('NOT_FOUND', { detail: 'There is nothing at this path' })
  const webhooks = await ports.telephonyWebhooksOf(target)
  const updates = webhooks.read(body, contentType).map(boundedUpdate)
  for (const update of updates) await ports.webhookInbox.add({ ...target, update })
  // The updates are durable: that the connection test shows an older event is no reason to refuse them.
  if (updates.some(isLive)) await noteLiveEvent(ports, target).catch(() => undefined)
}

function isLive(update: WebhookUpdate): boolean {
  return update.about === 'AGENT' || update.source === 'LIVE'
}
