import { auditActor, type NamedActor } from '../../access/actor.ts'
import type { Principal } from '../../access/principal.ts'
import type { Audit } from '../../ports/audit.ts'
import type { WidgetKey } from './widget-key.ts'

/** Who may change keys; without a token, because the platform is not asked. */
export type KeyActor = NamedActor & { readonly principal: Pick<Principal, 'workspaceId'> }
export type KeyChange = { readonly action: 'widgetKey.created' | 'widgetKey.rotated' | 'widgetKey.deleted'; readonly key: WidgetKey }

export async function recordKeyChange(audit: Audit, actor: KeyActor, { action, key }: KeyChange): Promise<void> {
  await audit.record(actor.principal.workspaceId, {
    actor: auditActor(actor),
    action,
    target: { kind: 'widgetKey', id: key.key, name: null },
    details: { origins: key.origins.join(', ') },
  })
}
