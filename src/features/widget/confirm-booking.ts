import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { DoctorDirectory } from '../../ports/doctors.ts'
import type { DoctorRecords } from '../../ports/doctors.ts'
import type { Clock } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { asService } from '../../ports/record-access.ts'
import { assertOpen } from './assert-open.ts'
import { type Booking, type Bookings, type KeptBooking, notHeld, shownBooking } from './bookings.ts'
import { slotTaken } from './hold-slot.ts'
import type { OneAtATime } from './slot-lease.ts'
import type { SlotHolds } from './slot-holds.ts'
import type { ReadContact, VisitorContact } from './visitor-contact.ts'
import type { VisitorLead } from './visitor-lead.ts'
import type { VisitorLimits } from './visitor-limits.ts'

export type ConfirmBookingDeps = {
  readonly configuration: Configuration
  readonly doctorDirectory: DoctorDirectory
  readonly doctors: Pick<DoctorRecords, 'book' | 'slots'>
  readonly visitorLead: VisitorLead
  readonly readContact: ReadContact
  readonly holds: SlotHolds
  readonly bookings: Bookings
  readonly limits: Pick<VisitorLimits, 'booking'>
  readonly oneAtATime: OneAtATime
  readonly clock: Clock
}

/**
 * Books a held slot for a visitor: the lead with the number, then the slot on the platform, where one of many wins it. Asking again with
 * the same id is safe at any time, also after a crash or a lost answer: it finishes what is left, or answers what stands. A failure
 * gives the slot back. Errors: INVALID_INPUT, NOT_FOUND (not held any more), SLOT_TAKEN, WRONG_STATE, TOO_MANY_TRIES, OVERLOADED, the
 * store's and the platform's.
 */
export type ConfirmBooking = (wish: BookingWish) => Promise<Booking>
export type BookingWish = {
  readonly workspaceId: string
  readonly bookingId: string
  readonly name: string
  readonly phone: string
}

/** How long the slot is held while it is being written, and then, for as long as another instance may still show it as free. */
const writingMs = 120_000
const settledMs = 10 * 60_000
const mostVisits = 50

export function createConfirmBooking(deps: ConfirmBookingDeps): ConfirmBooking {
  const { configuration, bookings, readContact, oneAtATime } = deps
  return async ({ workspaceId, bookingId, name, phone }) => {
    await assertOpen(configuration, workspaceId, 'BOOKING')
    const contact = await readContact(workspaceId, { name, phone })
    if (!(await bookings.read(workspaceId, bookingId))) throw notHeld()
    return oneAtATime(`widget-confirming:${workspaceId}:${bookingId}`, async () => {
      const booking = await bookings.read(workspaceId, bookingId)
      if (!booking) throw notHeld()
      return shownBooking(await confirm(deps, { workspaceId, booking, contact }))
    })
  }
}

type Step = { readonly workspaceId: string; readonly booking: KeptBooking; readonly contact: VisitorContact }

async function confirm(deps: ConfirmBookingDeps, { workspaceId, booking, contact }: Step): Promise<KeptBooking> {
  const { bookings, limits, holds, clock } = deps
  const phoneHash = hashOf(`${workspaceId}:${contact.phoneNumber}`)
  const isSamePhone = booking.phoneHash === phoneHash
  if (booking.state === 'BOOKED' && isSamePhone) return booking
  assertConfirmable(booking, clock.now())
  if (!isSamePhone) await limits.booking.take(phoneHash)
  const begun: KeptBooking = { ...booking, state: 'BEGUN', phoneHash }
  const held = { workspaceId, slotId: booking.slot.id, bookingId: booking.id }
  try {
    await bookings.write(workspaceId, begun)
    if (await holds.take(held, writingMs)) await writeVisit(deps, { workspaceId, booking, contact })
    else if (!(await isWritten(deps, { workspaceId, booking, contact }))) throw slotTaken()
  } catch (error) {
    const uncounted = { ...begun, phoneHash: null }
    await Promise.allSettled([holds.free(held), limits.booking.giveBack(phoneHash), bookings.write(workspaceId, uncounted)])
    throw error
  }
  const booked: KeptBooking = { ...begun, state: 'BOOKED' }
  await bookings.write(workspaceId, booked)
  await holds.take(held, settledMs)
  return booked
}

/** On the platform, as the service. */
async function writeVisit({ visitorLead, doctors, doctorDirectory }: ConfirmBookingDeps, step: Step): Promise<void> {
  const { workspaceId, contact } = step
  const slotId = step.booking.slot.id
  const lead = await visitorLead({ workspaceId, ...contact })
  const { booked } = await doctors.book(asService(workspaceId, 'WIDGET'), { slotId, leadId: lead.id }).catch((error: unknown) => {
    // It may be written all the same.
    doctorDirectory.invalidate(workspaceId)
    throw error
  })
  doctorDirectory.invalidate(workspaceId, slotId)
  if (!booked) throw slotTaken()
}

/** Whether an earlier try got as far as the platform before its answer was lost, though somebody else holds the slot by now. */
async function isWritten({ visitorLead, doctors }: ConfirmBookingDeps, { workspaceId, booking, contact }: Step): Promise<boolean> {
  if (booking.state !== 'BEGUN') return false
  const { id, startsAt: from } = booking.slot
  const lead = await visitorLead({ workspaceId, ...contact })
  const visits = await doctors.slots(asService(workspaceId, 'WIDGET'), { from, leadId: lead.id, first: mostVisits })
  return visits.some((slot) => slot.id === id && slot.state === 'BOOKED')
}

function assertConfirmable({ state, heldUntil, slot }: KeptBooking, now: number): void {
  if (state === 'BOOKED') throw new AppError('WRONG_STATE', { detail: 'This visit is booked already, with another phone number' })
  if (state === 'HELD' && Date.parse(heldUntil) <= now) throw notHeld()
  if (Date.parse(slot.startsAt) <= now) throw invalidInput('bookingId', 'is of a time that has passed')
}
