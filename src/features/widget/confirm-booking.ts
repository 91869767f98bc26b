import { AppError, invalidInput } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'
import { asService } from '../../ports/record-access.ts'
import { assertOpen } from './assert-open.ts'
import { type Booking, bookingView, notHeld, readBooking, type StoredBooking, writeBooking } from './booking-store.ts'
import { findOrCreateLead } from './find-or-create-lead.ts'
import { slotTaken } from './hold-slot.ts'
import { parseContact, type VisitorContact } from './parse-contact.ts'
import { releaseBookedShare, releaseHeldShare, takeBookedShare, type Visitor } from './booking-shares.ts'
import { releaseHold, takeHold } from './slot-holds.ts'
import type { WidgetPorts } from './widget-ports.ts'

export type ConfirmBookingInput = Visitor & {
  readonly bookingId: string
  readonly name: string
  readonly phone: string
}
type BookingPorts = Pick<WidgetPorts, 'configuration' | 'doctorDirectory' | 'doctorRecords' | 'leadRecords' | 'newLeads'> &
  Pick<WidgetPorts, 'visitorLimits' | 'limitCounts' | 'store' | 'clock' | 'log'>

/** The hold while the platform is written. */
const writeHoldMs = 120_000
/** The hold after the booking: another instance may show the slot as free for as long. */
const bookedHoldMs = 10 * 60_000
const maxVisits = 50
const leaseWaitMs = 20_000

export const confirmingLease = new LeaseOf({
  name: 'widget-confirming',
  key: ({ workspaceId, bookingId }: { readonly workspaceId: string; readonly bookingId: string }) => [workspaceId, bookingId],
  lifetime: 8_000,
  what: 'a booking that is being confirmed',
})

/**
 * Books a held slot for a visitor: finds or creates the lead with the phone number, then books the slot on the platform, where one of many
 * concurrent bookings succeeds. Idempotent: after a crash or a lost answer, the same request completes the booking or returns it. A failure
 * releases the slot. Errors: INVALID_INPUT, NOT_FOUND (no longer held), SLOT_TAKEN, WRONG_STATE, TOO_MANY_TRIES, OVERLOADED, the store's and
 * the platform's.
 */
export async function confirmBooking(ports: BookingPorts, { bookingId, name, phone, ...visitor }: ConfirmBookingInput): Promise<Booking> {
  const { store, log } = ports
  const { workspaceId } = visitor
  await assertOpen(ports, workspaceId, 'BOOKING')
  const contact = await parseContact(ports, workspaceId, { name, phone })
  if (!(await readBooking(store, workspaceId, bookingId))) throw notHeld()
  const step = async (): Promise<Booking> => {
    const booking = await readBooking(store, workspaceId, bookingId)
    if (!booking) throw notHeld()
    return bookingView(await confirm(ports, { workspaceId, visitor, booking, contact }))
  }
  const options = { waitMs: leaseWaitMs, log, onBusy: beingConfirmed, step }
  return confirmingLease.run(ports, { workspaceId, bookingId }, options)
}

type Confirmation = { readonly workspaceId: string; readonly booking: StoredBooking; readonly contact: VisitorContact }

async function confirm(
  ports: BookingPorts,
  { workspaceId, visitor, booking, contact }: Confirmation & { readonly visitor: Visitor },
): Promise<StoredBooking> {
  const { store, clock } = ports
  const phoneHash = hashOf(`${workspaceId}:${contact.phoneNumber}`)
  const isSamePhone = booking.phoneHash === phoneHash
  if (booking.state === 'BOOKED' && isSamePhone) return booking
  assertConfirmable(booking, clock.now())
  // After a crash it is counted already.
  const bookedIn = isSamePhone ? booking.bookedIn : await countBooking(ports, visitor, phoneHash)
  const begun: StoredBooking = { ...booking, state: 'BEGUN', phoneHash, bookedIn }
  const hold = { workspaceId, slotId: booking.slot.id, bookingId: booking.id }
  try {
    await writeBooking(store, workspaceId, begun)
    if (await takeHold(ports, hold, writeHoldMs)) await writeVisit(ports, { workspaceId, booking, contact })
    else if (!(await isWritten(ports, { workspaceId, booking, contact }))) throw slotTaken()
  } catch (error) {
    await Promise.allSettled([
      releaseHold(ports, hold),
      releaseHeldShare(ports, { lists: booking.heldIn, member: booking.id }),
      uncountBooking(ports, { phoneHash, bookedIn }),
      writeBooking(store, workspaceId, { ...begun, phoneHash: null, bookedIn: [] }),
    ])
    throw error
  }
  const booked: StoredBooking = { ...begun, state: 'BOOKED' }
  await writeBooking(store, workspaceId, booked)
  await takeHold(ports, hold, bookedHoldMs)
  await releaseHeldShare(ports, { lists: booking.heldIn, member: booking.id })
  return booked
}

/** Counts the booking against the limits of the phone number, the address and the key; returns the counters of the last two. */
async function countBooking(ports: BookingPorts, visitor: Visitor, phoneHash: string): Promise<readonly string[]> {
  const { visitorLimits, doctorDirectory } = ports
  const directory = await doctorDirectory.read(visitor.workspaceId)
  await visitorLimits.booking.take(phoneHash)
  try {
    return await takeBookedShare(ports, visitor, directory)
  } catch (error) {
    await visitorLimits.booking.giveBack(phoneHash)
    throw error
  }
}

type Counted = { readonly phoneHash: string; readonly bookedIn: readonly string[] }

async function uncountBooking(ports: Pick<BookingPorts, 'store' | 'visitorLimits'>, { phoneHash, bookedIn }: Counted): Promise<void> {
  await Promise.all([releaseBookedShare(ports, bookedIn), ports.visitorLimits.booking.giveBack(phoneHash)])
}

async function writeVisit(ports: BookingPorts, { workspaceId, booking, contact }: Confirmation): Promise<void> {
  const { doctorRecords, doctorDirectory } = ports
  const slotId = booking.slot.id
  const lead = await findOrCreateLead(ports, workspaceId, contact)
  const { booked } = await doctorRecords.book(asService(workspaceId, 'WIDGET'), { slotId, leadId: lead.id }).catch((error: unknown) => {
    // The platform may have written it although the answer was an error.
    doctorDirectory.invalidate(workspaceId)
    throw error
  })
  doctorDirectory.invalidate(workspaceId, slotId)
  if (!booked) throw slotTaken()
}

/** Whether an earlier attempt has booked the slot on the platform, although another booking holds it now. */
async function isWritten(ports: BookingPorts, { workspaceId, booking, contact }: Confirmation): Promise<boolean> {
  if (booking.state !== 'BEGUN') return false
  const { id, startsAt: from } = booking.slot
  const lead = await findOrCreateLead(ports, workspaceId, contact)
  const visits = await ports.doctorRecords.slots(asService(workspaceId, 'WIDGET'), { from, leadId: lead.id, first: maxVisits })
  return visits.some((slot) => slot.id === id && slot.state === 'BOOKED')
}

function assertConfirmable({ state, heldUntil, slot }: StoredBooking, now: number): void {
  if (state === 'BOOKED') throw new AppError('WRONG_STATE', { detail: 'This visit is booked already, with another phone number' })
  if (state === 'HELD' && Date.parse(heldUntil) <= now) throw notHeld()
  if (Date.parse(slot.startsAt) <= now) throw invalidInput('bookingId', 'is of a time that has passed')
}

function beingConfirmed(): AppError {
  return new AppError('OVERLOADED', { detail: 'This visit is being booked already; ask again in a moment', data: { retryAfterSeconds: 5 } })
}
