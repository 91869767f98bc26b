import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { ThemeSection } from '../../ports/configuration/theme.ts'
import type { WidgetSection } from '../../ports/configuration/widget.ts'

/** What a page needs to show the widget; nothing else of the configuration. */
export type WidgetAppearance = {
  readonly widget: Pick<WidgetSection, 'enabled' | 'greeting' | 'placeholder' | 'position' | 'bookingEnabled'> & {
    /** A language model is chosen and can be asked. */
    readonly chatEnabled: boolean
  }
  readonly theme: ThemeSection
}

export type ReadAppearance = (workspaceId: string) => Promise<WidgetAppearance>
export type ReadAppearanceDeps = { readonly configuration: Configuration; readonly hasModel: (workspaceId: string) => Promise<boolean> }

export function createReadAppearance({ configuration, hasModel }: ReadAppearanceDeps): ReadAppearance {
  return async (workspaceId) => {
    const [widget, theme, chatEnabled] = await Promise.all([
      configuration.read(workspaceId, 'widget'),
      configuration.read(workspaceId, 'theme'),
      hasModel(workspaceId),
    ])
    const { enabled, greeting, placeholder, position, bookingEnabled } = widget
    const { brand, colors, fonts } = theme
    return { widget: { enabled, greeting, placeholder, position, bookingEnabled, chatEnabled }, theme: { brand, colors, fonts } }
  }
}
