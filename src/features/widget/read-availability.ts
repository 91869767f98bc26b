import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { DoctorDirectory } from '../../ports/doctors.ts'
import type { Clock } from '../../kernel/clock.ts'
import { assertOpen } from './assert-open.ts'
import { type OfferedDoctor, offeredAheadMs, offeredDoctor, type OfferedSlot, offeredSlot } from './availability.ts'
import type { SlotHolds } from './slot-holds.ts'

/** What visitors may choose from: doctors who are active, and their free slots of the next 14 days that nobody holds, by start. */
export type Offer = { readonly timeZone: string; readonly doctors: readonly OfferedDoctor[]; readonly slots: readonly OfferedSlot[] }

/** Out of the directory that all visitors share. Errors: WRONG_STATE (switched off), STORE_UNAVAILABLE, the directory's. */
export type ReadOffer = (workspaceId: string) => Promise<Offer>

export type ReadOfferDeps = {
  readonly configuration: Configuration
  readonly doctorDirectory: DoctorDirectory
  readonly holds: SlotHolds
  readonly clock: Clock
}

export function createReadOffer({ configuration, doctorDirectory, holds, clock }: ReadOfferDeps): ReadOffer {
  return async (workspaceId) => {
    await assertOpen(configuration, workspaceId, 'WIDGET')
    const [{ visits }, directory, held] = await Promise.all([
      configuration.read(workspaceId, 'platform'),
      doctorDirectory.read(workspaceId),
      holds.held(workspaceId),
    ])
    const inactive = new Set(directory.doctors.filter(({ active }) => !active).map(({ id }) => id))
    const now = clock.now()
    const slots = directory.slots.filter(({ id, doctorId, state, startsAt }) => {
      const startsIn = Date.parse(startsAt) - now
      return state === 'FREE' && startsIn > 0 && startsIn <= offeredAheadMs && !held.has(id) && !inactive.has(doctorId ?? '')
    })
    return {
      timeZone: visits.timeZone,
      doctors: directory.doctors.filter(({ active }) => active).map(offeredDoctor),
      slots: slots.map(offeredSlot),
    }
  }
}
