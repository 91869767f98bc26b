import type { Actor } from '../../access/actor.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { Audit } from '../../ports/audit.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { allowedOrigins } from './allowed-origins.ts'
import { recordKeyChange } from './record-key-change.ts'
import { newWidgetKey, type WidgetKey } from './widget-key.ts'
import type { WidgetKeys } from './widget-keys.ts'

export type CreateWidgetKeyDeps = {
  readonly keys: WidgetKeys
  readonly configuration: Configuration
  readonly audit: Audit
  readonly clock: Clock
}

/** Makes a key for pages of these origins. Errors: INVALID_INPUT, NOT_CONFIGURED, WRONG_STATE (enough keys), STORE_UNAVAILABLE. */
export type CreateWidgetKey = (actor: Omit<Actor, 'accessToken'>, input: { readonly origins: readonly string[] }) => Promise<WidgetKey>

const mostKeys = 50

export function createCreateWidgetKey({ keys, configuration, audit, clock }: CreateWidgetKeyDeps): CreateWidgetKey {
  return async (actor, input) => {
    const origins = allowedOrigins(input)
    const { workspaceId } = actor.principal
    const { hospitalName } = (await configuration.read(workspaceId, 'theme')).brand
    if (hospitalName === null) throw nameMissing()
    const made = { key: newWidgetKey(hospitalName), workspaceId, origins, createdAt: isoMoment(clock.now()), validUntil: null }
    await keys.change(workspaceId, (standing) => {
      if (standing.length >= mostKeys) {
        throw new AppError('WRONG_STATE', { detail: `There are ${mostKeys} widget keys already: delete one that is not used any more` })
      }
      return { keys: [...standing, made], result: made }
    })
    await recordKeyChange(audit, actor, { action: 'widgetKey.created', key: made })
    return made
  }
}

function nameMissing(): AppError {
  return new AppError('NOT_CONFIGURED', {
    detail: "A widget key begins with the hospital's name: set brand.hospitalName in the theme (PUT /api/config/theme)",
    data: { section: 'theme', field: 'brand.hospitalName' },
  })
}
