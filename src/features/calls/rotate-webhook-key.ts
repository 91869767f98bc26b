import type { Principal } from '../../access/principal.ts'
import type { Audit } from '../../ports/audit.ts'
import { invalidInput } from '../../kernel/errors.ts'
import type { WebhookKeys, NewCallbackKey } from './webhook-keys.ts'

export type RotateCallbackKeyDeps = { readonly keys: WebhookKeys; readonly providers: readonly string[]; readonly audit: Audit }
export type Actor = { readonly manager: Principal; readonly ip: string }

/** A new address for a provider's callbacks, shown this once; the former is taken for a day. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export function createRotateWebhookKey({ keys, providers, audit }: RotateCallbackKeyDeps) {
  return async ({ manager, ip }: Actor, provider: string): Promise<NewCallbackKey> => {
    if (!providers.includes(provider)) throw invalidInput('provider', 'is no telephony provider that calls back', providers)
    const { workspaceId, userId, memberId } = manager
    const made = await keys.rotate({ workspaceId, provider })
    await audit.record(workspaceId, {
      actor: { userId, memberId, ip },
      action: 'callbackKey.rotated',
      target: { kind: 'provider', id: provider },
      details: {},
    })
    return made
  }
}
