import { createSectionSchemas } from '../../src/features/configuration/section-schemas.ts'
import type { Configuration, SectionName, Sections } from '../../src/ports/configuration/configuration.ts'
import { ozonetel } from '../../src/providers/telephony/ozonetel/provider.ts'

/** The same sections for every workspace: the defaults with these changes. */
export function fixedConfiguration(changes: { readonly [Name in SectionName]?: object } = {}): Configuration {
  const schemas = createSectionSchemas({
    defaultCountry: 'IN',
    telephony: [ozonetel],
    outbound: [],
    models: [{ id: 'openai-compatible', title: 'Compatible', maxTemperature: 2 }],
  })
  const sections: Sections = {
    telephony: schemas.telephony.parse(changes.telephony ?? {}),
    ai: schemas.ai.parse(changes.ai ?? {}),
    widget: schemas.widget.parse(changes.widget ?? {}),
    theme: schemas.theme.parse(changes.theme ?? {}),
    platform: schemas.platform.parse(changes.platform ?? {}),
    alerts: schemas.alerts.parse(changes.alerts ?? {}),
  }
  return { read: async (_workspaceId, section) => sections[section] }
}
