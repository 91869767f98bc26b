import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import type { WebhookUpdate } from '../../../ports/telephony-webhooks.ts'
import { boundedUpdate } from './bounded-update.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { noteLiveEvent } from '../live-events/subscription.ts'
import { readWebhookTarget, type WebhookTarget } from '../webhook-store/webhook-keys.ts'

/** `key`: the last part of the path. */
export type WebhookPath = { readonly provider: string; readonly key: string }
export type Webhook = WebhookPath & { readonly contentType: string; readonly body: string }

/**
 * Accepts one webhook: finds its workspace by the key, verifies and reads it with the provider, and stores its updates. They are durable
 * when it resolves, and processed afterwards. Errors: NOT_FOUND (unknown key), INVALID_INPUT, WEBHOOK_REFUSED, NOT_CONFIGURED, OVERLOADED,
 * STORE_UNAVAILABLE.
 */
export async function receiveWebhook(
  ports: Pick<CallPorts, 'clock' | 'store' | 'telephonyWebhooksOf' | 'webhookInbox' | 'webhookLog'>,
  { provider, key, contentType, body }: Webhook,
): Promise<void> {
  const startedAt = performance.now()
  const target = await readWebhookTarget(ports, provider, key)
  if (!target) throw new AppError('NOT_FOUND', { detail: 'There is nothing at this path' })
  let updates: readonly WebhookUpdate[] = []
  const facts = () => ({ updates, durationMs: Math.round(performance.now() - startedAt) })
  try {
    const webhooks = await ports.telephonyWebhooksOf(target)
    updates = webhooks.read(body, contentType).map(boundedUpdate)
    const isNew = await storeUpdates(ports, target, updates)
    ports.webhookLog.note(target, { verdict: updates.length === 0 ? 'IGNORED' : isNew ? 'ACCEPTED' : 'DUPLICATE', ...facts() })
  } catch (error) {
    noteError(ports, target, { error, ...facts() })
    throw error
  }
  // The updates are durable: that the connection test shows an older event is no reason to refuse them.
  if (updates.some(isLive)) await noteLiveEvent(ports, target).catch(() => undefined)
}

/** Notes a webhook that is refused before it is read, if its key is known. Errors: STORE_UNAVAILABLE. */
export async function noteRefusedWebhook(
  ports: Pick<CallPorts, 'store' | 'webhookLog'>,
  { provider, key }: WebhookPath,
  error: unknown,
): Promise<void> {
  const target = await readWebhookTarget(ports, provider, key)
  if (target) noteError(ports, target, { error })
}

/** Whether one of them is new. */
async function storeUpdates(
  { webhookInbox }: Pick<CallPorts, 'webhookInbox'>,
  target: WebhookTarget,
  updates: readonly WebhookUpdate[],
): Promise<boolean> {
  let isNew = false
  for (const update of updates) isNew = (await webhookInbox.add({ ...target, update })) || isNew
  return isNew
}

/** What the sender, or the configuration, has to change; after every other error the webhook has failed. */
const refusals: ReadonlySet<ErrorReason> = new Set(['INVALID_INPUT', 'WEBHOOK_REFUSED', 'NOT_CONFIGURED', 'NOT_YOURS'])

type Failure = { readonly error: unknown; readonly updates?: readonly WebhookUpdate[]; readonly durationMs?: number }

function noteError({ webhookLog }: Pick<CallPorts, 'webhookLog'>, target: WebhookTarget, { error, ...facts }: Failure): void {
  const { reason, message: detail } = error instanceof AppError ? error : new AppError('UNKNOWN')
  webhookLog.note(target, { verdict: refusals.has(reason) ? 'REFUSED' : 'FAILED', reason, detail, ...facts })
}

function isLive(update: WebhookUpdate): boolean {
  return update.about === 'AGENT' || update.source === 'LIVE'
}
