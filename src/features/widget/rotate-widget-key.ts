import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { type KeyActor, recordKeyChange } from './record-key-change.ts'
import { newWidgetKey, type WidgetKey } from './widget-key.ts'
import type { WidgetPorts } from './widget-ports.ts'

const dayMs = 86_400_000

/** A new key that replaces one of the workspace's; the former is valid for another day. Errors: NOT_FOUND, WRONG_STATE, STORE_UNAVAILABLE. */
export async function rotateWidgetKey(
  { widgetKeys, configuration, audit, clock }: Pick<WidgetPorts, 'widgetKeys' | 'configuration' | 'audit' | 'clock'>,
  actor: KeyActor,
  key: string,
): Promise<WidgetKey> {
  const { workspaceId } = actor.principal
  const { hospitalName } = (await configuration.read(workspaceId, 'theme')).brand
  const now = clock.now()
  const fresh = { key: newWidgetKey(hospitalName ?? ''), workspaceId, createdAt: isoMoment(now), validUntil: null }
  const created = await widgetKeys.change(workspaceId, (keys) => {
    const former = rotatable(keys, key)
    const ending = { ...former, validUntil: isoMoment(now + dayMs) }
    const result: WidgetKey = { ...fresh, origins: former.origins }
    return { keys: [...keys.map((one) => (one === former ? ending : one)), result], result }
  })
  await recordKeyChange(audit, actor, { action: 'widgetKey.rotated', key: created })
  return created
}

function rotatable(keys: readonly WidgetKey[], key: string): WidgetKey {
  const found = keys.find((one) => one.key === key)
  if (!found) throw new AppError('NOT_FOUND', { detail: 'The workspace has no such widget key' })
  if (found.validUntil === null) return found
  throw new AppError('WRONG_STATE', { detail: `This key was rotated already; it is valid until ${found.validUntil}` })
}
