import { isoMoment } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Directory, Doctor, VisitSlot } from '../../ports/doctors.ts'
import { assertOpen } from './assert-open.ts'
import { availableDoctor, availableSlot, bookableAheadMs } from './availability.ts'
import { type Booking, bookingView, deleteBooking, type StoredBooking, writeBooking } from './booking-store.ts'
import { takeHold } from './slot-holds.ts'
import type { WidgetPorts } from './widget-ports.ts'

export type HoldSlotInput = { readonly workspaceId: string; readonly slotId: string; readonly clientAddress: string }
export type HoldSlotPorts = Pick<WidgetPorts, 'configuration' | 'doctorDirectory' | 'store' | 'clock' | 'visitorLimits'>

const holdMs = 5 * 60_000

/**
 * Holds a free slot for 5 minutes, in our store only. One of many concurrent visitors gets it. Errors: INVALID_INPUT (a past slot), NOT_FOUND,
 * SLOT_TAKEN, TOO_MANY_TRIES, WRONG_STATE (switched off), STORE_UNAVAILABLE, the directory's.
 */
export async function holdSlot(ports: HoldSlotPorts, { workspaceId, slotId, clientAddress }: HoldSlotInput): Promise<Booking> {
  const { store, clock } = ports
  await assertOpen(ports, workspaceId, 'BOOKING')
  const { slot, doctor } = find(await ports.doctorDirectory.read(workspaceId), slotId)
  assertBookable(slot, doctor, clock.now())
  await ports.visitorLimits.hold(clientAddress)
  const booking: StoredBooking = {
    id: newId(),
    slot: availableSlot(slot),
    doctor: doctor && availableDoctor(doctor),
    heldUntil: isoMoment(clock.now() + holdMs),
    state: 'HELD',
    phoneHash: null,
  }
  // Stored before the hold: nobody could release a hold without its booking.
  await writeBooking(store, workspaceId, booking)
  if (await takeHold(ports, { workspaceId, slotId, bookingId: booking.id }, holdMs)) return bookingView(booking)
  await deleteBooking(store, workspaceId, booking.id)
  throw slotTaken()
}

export function slotTaken(): AppError {
  return new AppError('SLOT_TAKEN', { detail: 'Somebody else has taken this time; choose another' })
}

function find({ doctors, slots }: Directory, slotId: string): { readonly slot: VisitSlot; readonly doctor: Doctor | null } {
  const slot = slots.find(({ id }) => id === slotId)
  if (!slot) throw unknownSlot()
  return { slot, doctor: doctors.find(({ id }) => id === slot.doctorId) ?? null }
}

function assertBookable({ state, startsAt }: VisitSlot, doctor: Doctor | null, now: number): void {
  const startsIn = Date.parse(startsAt) - now
  if (state === 'PAST' || startsIn <= 0) throw invalidInput('slotId', 'is a time that has passed')
  if (doctor?.active === false || startsIn > bookableAheadMs) throw unknownSlot()
  if (state !== 'FREE') throw slotTaken()
}

function unknownSlot(): AppError {
  return new AppError('NOT_FOUND', { detail: 'There is no such time for a visit' })
}
