import { AppError } from '../../kernel/errors.ts'
import type { ThemeSection } from '../../ports/configuration/theme.ts'
import type { WidgetSection } from '../../ports/configuration/widget.ts'
import type { Ports } from '../../ports/ports.ts'

/** What a page needs to show the widget, and nothing else of the configuration. */
export type WidgetAppearance = {
  readonly widget: Pick<WidgetSection, 'enabled' | 'greeting' | 'placeholder' | 'position' | 'bookingEnabled'> & {
    /** Whether a language model is configured. */
    readonly chatEnabled: boolean
  }
  readonly theme: ThemeSection
}

type AppearancePorts = Pick<Ports, 'configuration' | 'languageModelOf' | 'log'>

/** Errors: STORE_UNAVAILABLE. */
export async function readAppearance(ports: AppearancePorts, workspaceId: string): Promise<WidgetAppearance> {
  const { configuration } = ports
  const [widget, theme, chatEnabled] = await Promise.all([
    configuration.read(workspaceId, 'widget'),
    configuration.read(workspaceId, 'theme'),
    hasModel(ports, workspaceId),
  ])
  const { enabled, greeting, placeholder, position, bookingEnabled } = widget
  const { brand, colors, fonts } = theme
  return { widget: { enabled, greeting, placeholder, position, bookingEnabled, chatEnabled }, theme: { brand, colors, fonts } }
}

/** Also loads the model's client in the background, because the visitor may soon chat. */
async function hasModel({ languageModelOf, log }: AppearancePorts, workspaceId: string): Promise<boolean> {
  try {
    const model = await languageModelOf(workspaceId)
    model.prepare().catch((error: unknown) => log.error({ err: error, workspaceId }, 'widget.model-preparation-failed'))
    return true
  } catch (error) {
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return false
    throw error
  }
}
