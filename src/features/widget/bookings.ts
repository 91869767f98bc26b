import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { Store } from '../../ports/store.ts'
import { type OfferedDoctor, offeredDoctorSchema, type OfferedSlot, offeredSlotSchema } from './availability.ts'

/** A visit that a visitor is booking or has booked, as the visitor sees it. Its id is known to that visitor alone. */
export type Booking = (BookedVisit & { readonly state: 'HELD'; readonly heldUntil: string }) | (BookedVisit & { readonly state: 'BOOKED' })
type BookedVisit = { readonly id: string; readonly slot: OfferedSlot; readonly doctor: OfferedDoctor | null }

/** A booking as it is kept, for a day: asking again after a lost answer finds it. */
export type KeptBooking = BookedVisit & {
  readonly heldUntil: string
  /** HELD: only held. BEGUN: confirmed, but perhaps not written on the platform. */
  readonly state: 'HELD' | 'BEGUN' | 'BOOKED'
  /** What stands for the phone number it was confirmed with. */
  readonly phoneHash: string | null
}

/** Errors of all methods: STORE_UNAVAILABLE. */
export interface Bookings {
  read(workspaceId: string, id: string): Promise<KeptBooking | null>
  write(workspaceId: string, booking: KeptBooking): Promise<void>
  forget(workspaceId: string, id: string): Promise<void>
}

const keptMs = 86_400_000

const schema: z.ZodType<KeptBooking> = z.object({
  id: z.string(),
  slot: offeredSlotSchema,
  doctor: offeredDoctorSchema.nullable(),
  heldUntil: z.string(),
  state: z.enum(['HELD', 'BEGUN', 'BOOKED']),
  phoneHash: z.string().nullable(),
})

export function createBookings(store: Store): Bookings {
  const keyOf = (workspaceId: string, id: string): string => `widget-booking:${workspaceId}:${id}`
  return {
    async read(workspaceId, id) {
      const text = await store.get(keyOf(workspaceId, id))
      return text === null ? null : schema.parse(JSON.parse(text))
    },
    write: (workspaceId, booking) => store.set(keyOf(workspaceId, booking.id), JSON.stringify(booking), { ttlMs: keptMs }),
    forget: async (workspaceId, id) => void (await store.delete(keyOf(workspaceId, id))),
  }
}

export function shownBooking({ id, slot, doctor, state, heldUntil }: KeptBooking): Booking {
  return state === 'BOOKED' ? { id, state, slot, doctor } : { id, state: 'HELD', heldUntil, slot, doctor }
}

export function notHeld(): AppError {
  return new AppError('NOT_FOUND', { detail: 'This time is not held for you any more; choose one again' })
}
