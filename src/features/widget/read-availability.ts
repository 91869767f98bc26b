import type { Ports } from '../../ports/ports.ts'
import { assertOpen } from './assert-open.ts'
import { type AvailableDoctor, availableDoctor, type AvailableSlot, availableSlot, freeSlots } from './availability.ts'
import { heldSlotIds } from './slot-holds.ts'

/** Active doctors, and their free slots of the next 14 days that nobody holds, by start. */
export type Availability = {
  readonly timeZone: string
  readonly doctors: readonly AvailableDoctor[]
  readonly slots: readonly AvailableSlot[]
}

export type AvailabilityPorts = Pick<Ports, 'configuration' | 'doctorDirectory' | 'store' | 'clock'>

/** From the directory that all visitors share. Errors: WRONG_STATE (switched off), STORE_UNAVAILABLE, the directory's. */
export async function readAvailability(ports: AvailabilityPorts, workspaceId: string): Promise<Availability> {
  await assertOpen(ports, workspaceId, 'WIDGET')
  const [{ visits }, directory, held] = await Promise.all([
    ports.configuration.read(workspaceId, 'platform'),
    ports.doctorDirectory.read(workspaceId),
    heldSlotIds(ports, workspaceId),
  ])
  const slots = freeSlots(directory, ports.clock.now()).filter(({ id }) => !held.has(id))
  return {
    timeZone: visits.timeZone,
    doctors: directory.doctors.filter(({ active }) => active).map(availableDoctor),
    slots: slots.map(availableSlot),
  }
}
