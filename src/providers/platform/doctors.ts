import type { Configuration } from '../../ports/configuration/configuration.ts'
import { type DirectoryRecords, normaliseDirectory } from './normalise-directory.ts'
import { type Booking, type Directory, type DoctorRecords, recordsPerRequest, type SlotQuery } from '../../ports/doctors.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import type { RecordName } from '../../ports/records/platform-records.ts'
import type { Store } from '../../ports/store.ts'
import { platformFaultOf } from './failure.ts'
import type { ListQuery } from './list-records.ts'
import type { RecordObject, Row } from './record-object.ts'
import type { FilteredChange, Records } from './records.ts'

export type DoctorRecordsOptions = {
  readonly records: Records
  readonly configuration: Configuration
  readonly store: Store
  readonly clock: Clock
}

const mostDoctors = 600
/** Longer than the requests under it may wait for their turn and take: each 75 seconds, and each may be made twice. */
const lockMs = 300_000

/** The only place that reads or writes doctors and visit slots on the platform: by the one fragment, through the one normaliser. */
export function createDoctorRecords({ records, configuration, store, clock }: DoctorRecordsOptions): DoctorRecords {
  const normalised = async ({ workspaceId }: RecordAccess, found: Partial<DirectoryRecords>): Promise<Directory> => {
    const { visits } = await configuration.read(workspaceId, 'platform')
    return normaliseDirectory({ doctors: [], slots: [], ...found }, { ...visits, now: clock.now() })
  }

  const slotById = async (access: RecordAccess, slotId: string) => {
    const slots = await records.list(access, 'visitSlot', {
      filter: () => ({ id: { eq: slotId } }),
      first: 1,
    })
    return (await normalised(access, { slots })).slots[0] ?? null
  }

  /** Platforms that cannot test and write in one step (1.3) are written by one of us at a time. */
  const bookUnderLock = async (access: RecordAccess, { slotId, leadId }: Booking): Promise<boolean> => {
    const [key, holder] = [`visit-slot-lock:${access.workspaceId}:${slotId}`, newId()]
    if (!(await store.setIfAbsent(key, holder, { ttlMs: lockMs }))) return false
    try {
      if ((await slotById(access, slotId))?.state !== 'FREE') return false
      return (await records.update(access, 'visitSlot', { id: slotId, values: bookedBy(leadId) })).written
    } finally {
      await store.compareAndDelete(key, holder)
    }
  }

  return {
    async doctors(access, signal) {
      const query: ListQuery<'doctor'> = {
        byName: ['speciality', 'clinic'],
        filter: () => ({}),
        first: mostDoctors,
        ...(signal && { signal }),
      }
      return (await normalised(access, { doctors: await listAll(records, access, { name: 'doctor', query }) })).doctors
    },
    async slots(access, query) {
      return (await normalised(access, { slots: await listAll(records, access, { name: 'visitSlot', query: slotQuery(query) }) })).slots
    },
    async book(access, booking) {
      const { slotId, leadId } = booking
      const change: FilteredChange<'visitSlot'> = {
        filter: (slot) => freeFilter(slot, { slotId, now: isoMoment(clock.now()) }),
        values: bookedBy(leadId),
      }
      const won = await records.updateWhere(access, 'visitSlot', change).then((ids) => ids.length > 0, isRefusedStep)
      if (won ?? (await bookUnderLock(access, booking))) return { booked: true }
      const slot = await slotById(access, slotId)
      return { booked: slot?.state === 'BOOKED' && slot.leadId === leadId.toLowerCase() }
    },
  }
}

type List<Name extends RecordName> = { readonly name: Name; readonly query: ListQuery<Name> }

/** Page by page, as many as `first` says. What is made or deleted meanwhile may move a record to the next page: none comes twice. */
async function listAll<Name extends RecordName>(
  records: Records,
  access: RecordAccess,
  { name, query }: List<Name>,
): Promise<readonly Row<Name>[]> {
  const found = new Map<string, Row<Name>>()
  for (let offset = 0; offset < query.first; offset += recordsPerRequest) {
    const first = Math.min(recordsPerRequest, query.first - offset)
    const page = await records.list(access, name, { ...query, first, offset })
    for (const row of page) found.set(row.id, row)
    if (page.length < first) break
  }
  return [...found.values()]
}

function slotQuery({ signal, ...query }: SlotQuery): ListQuery<'visitSlot'> {
  const { first } = query
  const filter: ListQuery<'visitSlot'>['filter'] = (slot) => slotFilter(slot, query)
  return { filter, earliestBy: 'startsAt', first, ...(signal && { signal }) }
}

/** Null where the workspace cannot tell what is asked for. */
function slotFilter(slot: RecordObject<'visitSlot'>, { from, to, doctorId, leadId }: SlotQuery): Record<string, unknown> | null {
  const [startsAt, doctor, lead] = [slot.column('startsAt'), slot.column('doctorId'), slot.column('leadId')]
  const doctorIds = doctorId === undefined ? null : [doctorId].flat()
  if (startsAt === null || doctorIds?.length === 0) return null
  if ((doctorIds && doctor === null) || (leadId !== undefined && lead === null)) return null
  return {
    [startsAt]: { gte: from, ...(to === undefined ? {} : { lt: to }) },
    ...(doctor !== null && doctorIds ? { [doctor]: { in: doctorIds } } : {}),
    ...(lead !== null && leadId !== undefined ? { [lead]: { eq: leadId } } : {}),
  }
}

function bookedBy(leadId: string) {
  return { state: 'BOOKED', leadId }
}

/** The slot, where it is free and lies ahead: the test of the compare-and-set. */
function freeFilter(slot: RecordObject<'visitSlot'>, { slotId, now }: { slotId: string; now: string }): Record<string, unknown> {
  const startsAt = slot.column('startsAt')
  return { id: { eq: slotId }, ...(startsAt === null ? {} : { [startsAt]: { gt: now } }), ...isFree(slot) }
}

/** Where the workspace keeps no states, a slot without a lead is free. */
function isFree(slot: RecordObject<'visitSlot'>): Record<string, unknown> {
  const [state, lead, choices] = [slot.column('state'), slot.column('leadId'), slot.choices('state')]
  const canSay = choices === null || (choices.includes('FREE') && choices.includes('BOOKED'))
  if (state !== null && canSay) return { [state]: choices ? { eq: 'FREE' } : { ilike: 'free' } }
  if (state === null && lead !== null) return { [lead]: { is: 'NULL' } }
  throw new AppError('NOT_CONFIGURED', { detail: 'The visit slots of this workspace have no states FREE and BOOKED' })
}

/** Null where the platform refused the step as such, not the caller's right to it. */
function isRefusedStep(error: unknown): null {
  if (error instanceof AppError && error.reason === 'PROVIDER_REFUSED' && platformFaultOf(error)?.facts.kind === 'OTHER') return null
  throw error
}
