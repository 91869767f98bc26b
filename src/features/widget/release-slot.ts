import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import { deleteBooking, notHeld, readBooking } from './booking-store.ts'
import { releaseHeldShare } from './booking-shares.ts'
import { releaseHold } from './slot-holds.ts'

/** Releases the hold of a booking that is not confirmed. Errors: NOT_FOUND, WRONG_STATE (booked, or being booked), STORE_UNAVAILABLE. */
export async function releaseSlot(
  ports: Pick<Ports, 'store'>,
  { workspaceId, bookingId }: { readonly workspaceId: string; readonly bookingId: string },
): Promise<void> {
  const booking = await readBooking(ports.store, workspaceId, bookingId)
  if (!booking) throw notHeld()
  if (booking.state !== 'HELD') throw new AppError('WRONG_STATE', { detail: 'This visit is booked; call the hospital to cancel it' })
  await deleteBooking(ports.store, workspaceId, bookingId)
  await releaseHold(ports, { workspaceId, slotId: booking.slot.id, bookingId })
  await releaseHeldShare(ports, { lists: booking.heldIn, member: bookingId })
}
