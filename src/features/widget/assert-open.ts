import type { Configuration } from '../../ports/configuration/configuration.ts'
import { AppError } from '../../kernel/errors.ts'

/** Refuses visitors where the widget, or booking with it, is switched off. Throws WRONG_STATE. */
export async function assertOpen(configuration: Configuration, workspaceId: string, what: 'WIDGET' | 'BOOKING'): Promise<void> {
  const { enabled, bookingEnabled } = await configuration.read(workspaceId, 'widget')
  if (!enabled) throw new AppError('WRONG_STATE', { detail: 'The widget is switched off' })
  if (what === 'BOOKING' && !bookingEnabled) throw new AppError('WRONG_STATE', { detail: 'Visits cannot be booked here' })
}
