import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'

/** Throws WRONG_STATE if the widget, or booking with it, is switched off. */
export async function assertOpen(
  { configuration }: Pick<Ports, 'configuration'>,
  workspaceId: string,
  part: 'WIDGET' | 'BOOKING',
): Promise<void> {
  const { enabled, bookingEnabled } = await configuration.read(workspaceId, 'widget')
  if (!enabled) throw new AppError('WRONG_STATE', { detail: 'The widget is switched off' })
  if (part === 'BOOKING' && !bookingEnabled) throw new AppError('WRONG_STATE', { detail: 'Visits cannot be booked here' })
}
