import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { Store } from '../../ports/store.ts'
import { Family } from '../../ports/stored/family.ts'
import { type AvailableDoctor, availableDoctorSchema, type AvailableSlot, availableSlotSchema } from './availability.ts'

/** A visit that a visitor is booking or has booked, as the visitor sees it. Only that visitor knows its id. */
export type Booking = (BookedVisit & { readonly state: 'HELD'; readonly heldUntil: string }) | (BookedVisit & { readonly state: 'BOOKED' })
type BookedVisit = { readonly id: string; readonly slot: AvailableSlot; readonly doctor: AvailableDoctor | null }

const bookingSchema = z.object({
  id: z.string(),
  slot: availableSlotSchema,
  doctor: availableDoctorSchema.nullable(),
  heldUntil: z.string(),
  /** HELD: only held. BEGUN: confirmed, but perhaps not written on the platform yet. */
  state: z.enum(['HELD', 'BEGUN', 'BOOKED']),
  /** The hash of the phone number that confirmed it. */
  phoneHash: z.string().nullable(),
  /** Where the held time counts against the limits. */
  heldIn: z.array(z.string()).readonly().default([]),
  /** Where the booking counts against the limits of its day. */
  bookedIn: z.array(z.string()).readonly().default([]),
})
export type StoredBooking = Readonly<z.output<typeof bookingSchema>>

export const bookings = new Family({
  name: 'widget-booking',
  key: ({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }) => [workspaceId, id],
  schema: bookingSchema,
  // So that a client whose answer was lost can ask again.
  lifetime: 86_400_000,
  about: 'visitor',
  what: 'a booking of a visitor: time, doctor, hash of the number',
})

export function readBooking(store: Store, workspaceId: string, id: string): Promise<StoredBooking | null> {
  return bookings.read({ store }, { workspaceId, id })
}

export function writeBooking(store: Store, workspaceId: string, booking: StoredBooking): Promise<void> {
  return bookings.write({ store }, { workspaceId, id: booking.id }, { value: booking })
}

export async function deleteBooking(store: Store, workspaceId: string, id: string): Promise<void> {
  await bookings.delete({ store }, { workspaceId, id })
}

export function bookingView({ id, slot, doctor, state, heldUntil }: StoredBooking): Booking {
  return state === 'BOOKED' ? { id, state, slot, doctor } : { id, state: 'HELD', heldUntil, slot, doctor }
}

export function notHeld(): AppError {
  return new AppError('NOT_FOUND', { detail: 'This time is no longer held for you; choose one again' })
}
