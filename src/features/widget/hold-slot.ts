import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { Doctor, VisitSlot } from '../../ports/doctors.ts'
import type { DoctorDirectory } from '../../ports/doctors.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { assertOpen } from './assert-open.ts'
import { type Booking, type Bookings, type KeptBooking, shownBooking } from './bookings.ts'
import { offeredAheadMs, offeredDoctor, offeredSlot } from './availability.ts'
import type { SlotHolds } from './slot-holds.ts'
import type { VisitorLimits } from './visitor-limits.ts'

export type HoldSlotDeps = {
  readonly configuration: Configuration
  readonly doctorDirectory: DoctorDirectory
  readonly holds: SlotHolds
  readonly bookings: Bookings
  readonly limits: Pick<VisitorLimits, 'hold'>
  readonly clock: Clock
}

/**
 * Keeps a free slot from everybody else for 5 minutes, in our store alone. Of many who ask at once one gets it. Errors: INVALID_INPUT (a
 * past slot), NOT_FOUND, SLOT_TAKEN, TOO_MANY_TRIES, WRONG_STATE (switched off), STORE_UNAVAILABLE, the directory's.
 */
export type HoldSlot = (wish: { readonly workspaceId: string; readonly slotId: string; readonly clientAddress: string }) => Promise<Booking>

const heldMs = 5 * 60_000

export function createHoldSlot({ configuration, doctorDirectory, holds, bookings, limits, clock }: HoldSlotDeps): HoldSlot {
  return async ({ workspaceId, slotId, clientAddress }) => {
    await assertOpen(configuration, workspaceId, 'BOOKING')
    const { slot, doctor } = found(await doctorDirectory.read(workspaceId), slotId)
    assertBookable(slot, doctor, clock.now())
    await limits.hold(clientAddress)
    const booking: KeptBooking = {
      id: newId(),
      slot: offeredSlot(slot),
      doctor: doctor && offeredDoctor(doctor),
      heldUntil: isoMoment(clock.now() + heldMs),
      state: 'HELD',
      phoneHash: null,
    }
    // Kept first: a hold without its booking could not be given back.
    await bookings.write(workspaceId, booking)
    if (await holds.take({ workspaceId, slotId, bookingId: booking.id }, heldMs)) return shownBooking(booking)
    await bookings.forget(workspaceId, booking.id)
    throw slotTaken()
  }
}

export function slotTaken(): AppError {
  return new AppError('SLOT_TAKEN', { detail: 'Somebody else has taken this time; choose another' })
}

type Found = { readonly slot: VisitSlot; readonly doctor: Doctor | null }

function found({ doctors, slots }: { doctors: readonly Doctor[]; slots: readonly VisitSlot[] }, slotId: string): Found {
  const slot = slots.find(({ id }) => id === slotId)
  if (!slot) throw new AppError('NOT_FOUND', { detail: 'There is no such time for a visit' })
  return { slot, doctor: doctors.find(({ id }) => id === slot.doctorId) ?? null }
}

function assertBookable({ state, startsAt }: VisitSlot, doctor: Doctor | null, now: number): void {
  const startsIn = Date.parse(startsAt) - now
  if (state === 'PAST' || startsIn <= 0) throw invalidInput('slotId', 'is a time that has passed')
  if (doctor?.active === false || startsIn > offeredAheadMs)
    throw new AppError('NOT_FOUND', { detail: 'There is no such time for a visit' })
  if (state !== 'FREE') throw slotTaken()
}
