import { isoMoment } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Directory, Doctor, VisitSlot } from '../../ports/doctors.ts'
import { assertOpen } from './assert-open.ts'
import { availableDoctor, availableSlot, bookableAheadMs } from './availability.ts'
import { type Booking, bookingView, deleteBooking, type StoredBooking, writeBooking } from './booking-store.ts'
import { takeHeldShare, type Visitor } from './booking-shares.ts'
import { releaseHold, takeHold } from './slot-holds.ts'
import type { WidgetPorts } from './widget-ports.ts'

export type HoldSlotInput = Visitor & { readonly slotId: string }
export type HoldSlotPorts = Pick<
  WidgetPorts,
  'configuration' | 'doctorDirectory' | 'store' | 'clock' | 'visitorLimits' | 'limitCounts' | 'holdMutex'
>

const holdMs = 5 * 60_000

/**
 * Holds a free slot for 5 minutes, in our store only. One of many concurrent visitors gets it. Errors: INVALID_INPUT (a past slot), NOT_FOUND,
 * SLOT_TAKEN, TOO_MANY_TRIES, WRONG_STATE (switched off), STORE_UNAVAILABLE, the directory's.
 */
export async function holdSlot(ports: HoldSlotPorts, { slotId, ...visitor }: HoldSlotInput): Promise<Booking> {
  const { store, clock } = ports
  const { workspaceId } = visitor
  await assertOpen(ports, workspaceId, 'BOOKING')
  const directory = await ports.doctorDirectory.read(workspaceId)
  const { slot, doctor } = find(directory, slotId)
  const now = clock.now()
  assertBookable(slot, doctor, now)
  await ports.visitorLimits.hold(visitor.clientAddress)
  const booking: StoredBooking = {
    id: newId(),
    slot: availableSlot(slot),
    doctor: doctor && availableDoctor(doctor),
    heldUntil: isoMoment(now + holdMs),
    state: 'HELD',
    phoneHash: null,
    heldIn: [],
    bookedIn: [],
  }
  const hold = { workspaceId, slotId, bookingId: booking.id }
  // Stored before the hold: nobody could release a hold without its booking.
  await writeBooking(store, workspaceId, booking)
  try {
    if (!(await takeHold(ports, hold, holdMs))) throw slotTaken()
    const share = await takeHeldShare(ports, visitor, { directory, slot, bookingId: booking.id, until: now + holdMs })
    await writeBooking(store, workspaceId, { ...booking, heldIn: share.lists })
  } catch (error) {
    await Promise.allSettled([releaseHold(ports, hold), deleteBooking(store, workspaceId, booking.id)])
    throw error
  }
  return bookingView(booking)
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
