import type { AiSection } from './ai.ts'
import type { AlertsSection } from './alerts.ts'
import type { PlatformSection } from './platform.ts'
import type { TelephonySection } from './telephony.ts'
import type { ThemeSection } from './theme.ts'
import type { WidgetSection } from './widget.ts'

/** What an admin may change while the service runs, per workspace. Read it at each use; do not store it. */
export interface Configuration {
  /**
   * The section's current values, secrets in clear, frozen. An unchanged section comes from memory. Throws NOT_CONFIGURED if the stored
   * document cannot be read (the detail names the file), STORE_UNAVAILABLE if the store does not answer.
   */
  read<Section extends keyof Sections>(workspaceId: string, section: Section): Promise<Sections[Section]>
}

export type Sections = {
  readonly telephony: TelephonySection
  readonly ai: AiSection
  readonly widget: WidgetSection
  readonly theme: ThemeSection
  readonly platform: PlatformSection
  readonly alerts: AlertsSection
}

export const sectionNames = ['telephony', 'ai', 'widget', 'theme', 'platform', 'alerts'] as const satisfies readonly (keyof Sections)[]
export type SectionName = (typeof sectionNames)[number]
