import type { z } from 'zod'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
import { aiSection, type ModelProviderChoice } from '../../ports/configuration/ai.ts'
import { alertsSection } from '../../ports/configuration/alerts.ts'
import { platformSection } from '../../ports/configuration/platform.ts'
import { type TelephonyOptions, telephonySection } from '../../ports/configuration/telephony.ts'
import { themeSection } from '../../ports/configuration/theme.ts'
import { widgetSection } from '../../ports/configuration/widget.ts'

/** One schema per section. Every field has a default, so `{}` is valid for each section. */
export type SectionSchemas = { readonly [Name in SectionName]: z.ZodType<Sections[Name]> }

/** The providers and the default country of this deployment. */
export type SectionOptions = TelephonyOptions & { readonly models: readonly [ModelProviderChoice, ...ModelProviderChoice[]] }

export function createSectionSchemas(options: SectionOptions): SectionSchemas {
  return {
    telephony: telephonySection(options),
    ai: aiSection(options.models),
    widget: widgetSection,
    theme: themeSection,
    platform: platformSection,
    alerts: alertsSection,
  }
}
