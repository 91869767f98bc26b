import type { Actor } from '../../access/actor.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { Audit } from '../../ports/audit.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordKeyChange } from './record-key-change.ts'
import { newWidgetKey, type WidgetKey } from './widget-key.ts'
import type { WidgetKeys } from './widget-keys.ts'

export type RotateWidgetKeyDeps = {
  readonly keys: WidgetKeys
  readonly configuration: Configuration
  readonly audit: Audit
  readonly clock: Clock
}

/** A new key in the place of one of the workspace's, which is taken for a day. Errors: NOT_FOUND, WRONG_STATE, STORE_UNAVAILABLE. */
export type RotateWidgetKey = (actor: Actor, key: string) => Promise<WidgetKey>

const dayMs = 86_400_000

export function createRotateWidgetKey({ keys, configuration, audit, clock }: RotateWidgetKeyDeps): RotateWidgetKey {
  return async (actor, key) => {
    const { workspaceId } = actor.principal
    const { hospitalName } = (await configuration.read(workspaceId, 'theme')).brand
    const now = clock.now()
    const fresh = { key: newWidgetKey(hospitalName ?? ''), workspaceId, createdAt: isoMoment(now), validUntil: null }
    const made = await keys.change(workspaceId, (standing) => {
      const former = rotatable(standing, key)
      const ending = { ...former, validUntil: isoMoment(now + dayMs) }
      const result: WidgetKey = { ...fresh, origins: former.origins }
      return { keys: [...standing.map((one) => (one === former ? ending : one)), result], result }
    })
    await recordKeyChange(audit, actor, { action: 'widgetKey.rotated', key: made })
    return made
  }
}

function rotatable(standing: readonly WidgetKey[], key: string): WidgetKey {
  const found = standing.find((one) => one.key === key)
  if (!found) throw new AppError('NOT_FOUND', { detail: 'The workspace has no such widget key' })
  if (found.validUntil === null) return found
  throw new AppError('WRONG_STATE', { detail: `This key was rotated already; it is valid until ${found.validUntil}` })
}
