import { AppError } from '../../kernel/errors.ts'
import { type KeyActor, recordKeyChange } from './record-key-change.ts'
import type { WidgetKey } from './widget-key.ts'
import type { WidgetPorts } from './widget-ports.ts'

/** Deletes one of the workspace's keys at once; returns it. Errors: NOT_FOUND, STORE_UNAVAILABLE. */
export async function deleteWidgetKey(
  { widgetKeys, audit }: Pick<WidgetPorts, 'widgetKeys' | 'audit'>,
  actor: KeyActor,
  key: string,
): Promise<WidgetKey> {
  const deleted = await widgetKeys.change(actor.principal.workspaceId, (keys) => {
    const found = keys.find((one) => one.key === key)
    if (!found) throw new AppError('NOT_FOUND', { detail: 'The workspace has no such widget key' })
    return { keys: keys.filter((one) => one !== found), result: found }
  })
  await recordKeyChange(audit, actor, { action: 'widgetKey.deleted', key: deleted })
  return deleted
}
