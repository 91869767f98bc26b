import type { Actor } from '../../access/actor.ts'
import type { Audit } from '../../ports/audit.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordKeyChange } from './record-key-change.ts'
import type { WidgetKey } from './widget-key.ts'
import type { WidgetKeys } from './widget-keys.ts'

export type DeleteWidgetKeyDeps = { readonly keys: WidgetKeys; readonly audit: Audit }

/** Takes one of the workspace's keys back at once; answers it as it was. Errors: NOT_FOUND, STORE_UNAVAILABLE. */
export type DeleteWidgetKey = (actor: Actor, key: string) => Promise<WidgetKey>

export function createDeleteWidgetKey({ keys, audit }: DeleteWidgetKeyDeps): DeleteWidgetKey {
  return async (actor, key) => {
    const deleted = await keys.change(actor.principal.workspaceId, (standing) => {
      const found = standing.find((one) => one.key === key)
      if (!found) throw new AppError('NOT_FOUND', { detail: 'The workspace has no such widget key' })
      return { keys: standing.filter((one) => one !== found), result: found }
    })
    await recordKeyChange(audit, actor, { action: 'widgetKey.deleted', key: deleted })
    return deleted
  }
}
