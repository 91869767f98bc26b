import { AppError } from '../../kernel/errors.ts'
import type { CallbackInbox } from './webhook-inbox.ts'
import type { CallbackKeys, CallbackTarget } from './webhook-keys.ts'
import type { TelephonyCallbacks } from '../../ports/telephony-webhooks.ts'

export type AcceptCallbackDeps = {
  readonly keys: CallbackKeys
  readonly inbox: CallbackInbox
  /** Reads the callbacks of a provider as the workspace has set it up; NOT_CONFIGURED where it has not. */
  readonly callbacksOf: (target: CallbackTarget) => Promise<TelephonyCallbacks>
}

export type Callback = { readonly provider: string; readonly key: string; readonly contentType: string; readonly body: string }

/**
 * Takes one callback: whose it is by its key, what it says, whether it bears the provider's proof; durable when it resolves, worked
 * afterwards. Errors: NOT_FOUND (unknown key), INVALID_INPUT, TOKEN_REFUSED, NOT_CONFIGURED, OVERLOADED, STORE_UNAVAILABLE.
 */
export type AcceptCallback = (callback: Callback) => Promise<void>

export function createAcceptCallback({ keys, inbox, callbacksOf }: AcceptCallbackDeps): AcceptCallback {
  return async ({ provider, key, contentType, body }) => {
    const target = await keys.targetOf(provider, key)
    if (!target) throw new AppError('NOT_FOUND', { detail: 'There is nothing at this path' })
    const callbacks = await callbacksOf(target)
    for (const news of callbacks.read(body, contentType)) await inbox.accept({ ...target, news })
  }
}
