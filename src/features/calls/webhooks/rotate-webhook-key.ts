import { type Actor, auditActor } from '../../../access/actor.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { type NewWebhookKey, replaceWebhookKey } from '../webhook-store/webhook-keys.ts'

/**
 * Creates a new webhook address for a provider, which is shown only once. The former one stays valid for a day. Errors: INVALID_INPUT
 * (the provider), STORE_UNAVAILABLE.
 */
export async function rotateWebhookKey(
  ports: Pick<CallPorts, 'audit' | 'clock' | 'store' | 'webhookProviders'>,
  actor: Actor,
  provider: string,
): Promise<NewWebhookKey> {
  if (!ports.webhookProviders.includes(provider)) {
    throw invalidInput('provider', 'is not a telephony provider that sends webhooks', ports.webhookProviders)
  }
  const { workspaceId } = actor.principal
  const created = await replaceWebhookKey(ports, { workspaceId, provider })
  await ports.audit.record(workspaceId, {
    actor: auditActor(actor),
    action: 'webhookKey.rotated',
    target: { kind: 'provider', id: provider, name: null },
    details: {},
  })
  return created
}
