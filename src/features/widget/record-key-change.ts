import type { Actor } from '../../access/actor.ts'
import type { Audit } from '../../ports/audit.ts'
import type { WidgetKey } from './widget-key.ts'

export type KeyChange = { readonly action: 'widgetKey.created' | 'widgetKey.rotated' | 'widgetKey.deleted'; readonly key: WidgetKey }

export async function recordKeyChange(
  audit: Audit,
  { principal, clientAddress }: Omit<Actor, 'accessToken'>,
  { action, key }: KeyChange,
): Promise<void> {
  const { userId, memberId, workspaceId } = principal
  await audit.record(workspaceId, {
    actor: { userId, memberId, ip: clientAddress },
    action,
    target: { kind: 'widgetKey', id: key.key },
    details: { origins: key.origins.join(', ') },
  })
}
