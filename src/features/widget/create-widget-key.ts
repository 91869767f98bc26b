import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { allowedOrigins } from './allowed-origins.ts'
import { type KeyActor, recordKeyChange } from './record-key-change.ts'
import { newWidgetKey, type WidgetKey } from './widget-key.ts'
import type { WidgetPorts } from './widget-ports.ts'

export type CreateKeyPorts = Pick<WidgetPorts, 'widgetKeys' | 'configuration' | 'audit' | 'clock'>

const maxKeys = 50

/** A key for pages of these origins. Errors: INVALID_INPUT, NOT_CONFIGURED, WRONG_STATE (50 keys already), STORE_UNAVAILABLE. */
export async function createWidgetKey(
  { widgetKeys, configuration, audit, clock }: CreateKeyPorts,
  actor: KeyActor,
  input: { readonly origins: readonly string[] },
): Promise<WidgetKey> {
  const origins = allowedOrigins(input)
  const { workspaceId } = actor.principal
  const { hospitalName } = (await configuration.read(workspaceId, 'theme')).brand
  if (hospitalName === null) throw nameMissing()
  const created = { key: newWidgetKey(hospitalName), workspaceId, origins, createdAt: isoMoment(clock.now()), validUntil: null }
  await widgetKeys.change(workspaceId, (keys) => {
    if (keys.length >= maxKeys) {
      throw new AppError('WRONG_STATE', { detail: `There are ${maxKeys} widget keys already: delete one that is no longer used` })
    }
    return { keys: [...keys, created], result: created }
  })
  await recordKeyChange(audit, actor, { action: 'widgetKey.created', key: created })
  return created
}

function nameMissing(): AppError {
  return new AppError('NOT_CONFIGURED', {
    detail: "A widget key begins with the hospital's name: set brand.hospitalName in the theme (PUT /api/config/theme)",
    data: { section: 'theme', field: 'brand.hospitalName' },
  })
}
