import { AppError } from '../../kernel/errors.ts'
import { type Bookings, notHeld } from './bookings.ts'
import type { SlotHolds } from './slot-holds.ts'

export type ReleaseSlotDeps = { readonly holds: SlotHolds; readonly bookings: Bookings }

/** Gives a held slot back. Errors: NOT_FOUND, WRONG_STATE (it is booked, or about to be), STORE_UNAVAILABLE. */
export type ReleaseSlot = (held: { readonly workspaceId: string; readonly bookingId: string }) => Promise<void>

export function createReleaseSlot({ holds, bookings }: ReleaseSlotDeps): ReleaseSlot {
  return async ({ workspaceId, bookingId }) => {
    const booking = await bookings.read(workspaceId, bookingId)
    if (!booking) throw notHeld()
    if (booking.state !== 'HELD') throw new AppError('WRONG_STATE', { detail: 'This visit is booked; call the hospital to cancel it' })
    await bookings.forget(workspaceId, bookingId)
    await holds.free({ workspaceId, slotId: booking.slot.id, bookingId })
  }
}
