import { AppError } from '../../kernel/errors.ts'
import type { WebhookInbox } from './webhook-inbox.ts'
import type { WebhookKeys, WebhookTarget } from './webhook-keys.ts'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'

export type AcceptCallbackDeps = {
  readonly keys: WebhookKeys
  readonly inbox: WebhookInbox
  /** Reads the callbacks of a provider as the workspace has set it up; NOT_CONFIGURED where it has not. */
  readonly webhooksOf: (target: WebhookTarget) => Promise<TelephonyWebhooks>
}

export type Callback = { readonly provider: string; readonly key: string; readonly contentType: string; readonly body: string }

/**
 * Takes one callback: whose it is by its key, what it says, whether it bears the provider's proof; durable when it resolves, worked
 * afterwards. Errors: NOT_FOUND (unknown key), INVALID_INPUT, TOKEN_REFUSED, NOT_CONFIGURED, OVERLOADED, STORE_UNAVAILABLE.
 */
export type ReceiveWebhook = (callback: Callback) => Promise<void>

export function createReceiveWebhook({ keys, inbox, webhooksOf }: AcceptCallbackDeps): ReceiveWebhook {
  return async ({ provider, key, contentType, body }) => {
    const target = await keys.targetOf(provider, key)
    if (!target) throw new AppError('NOT_FOUND', { detail: 'There is nothing at this path' })
    const callbacks = await webhooksOf(target)
    for (const update of callbacks.read(body, contentType)) await inbox.accept({ ...target, update })
  }
}
