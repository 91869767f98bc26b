import type { Configuration } from '../../ports/configuration/configuration.ts'
import { type DirectoryRecords, inOrder, normaliseDirectory } from './normalise-directory.ts'
import { type Booking, type Directory, type DoctorRecords, recordsPerRequest, type SlotQuery, type VisitSlot } from '../../ports/doctors.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { mapInSlices, nextSlice } from '../../kernel/loop-slices.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import type { RecordName } from '../../ports/records/platform-records.ts'
import type { Store } from '../../ports/store.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'
import { type PlatformErrorKind, platformErrorOf } from './failure.ts'
import { type Filter, withId } from './filter.ts'
import type { ListQuery } from './list-records.ts'
import type { Node, RecordObject, Row } from './record-object.ts'
import type { FilteredChange, Records } from './records.ts'

export type DoctorRecordsOptions = {
  readonly records: Records
  readonly configuration: Configuration
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

const mostDoctors = 600
/** So many rows are normalised in one slice of the event loop: there may be 1,400, at some 40 µs. */
const rowsAtOnce = 50

export const bookingLease = new LeaseOf({
  name: 'visit-slot-lease',
  key: ({ workspaceId, slotId }: { readonly workspaceId: string; readonly slotId: string }) => [workspaceId, slotId],
  // Longer than the two requests under the lease may take: each waits up to 65 seconds for the API key and 10 for the answer.
  lifetime: 300_000,
  what: 'a visit that is being booked',
})

/** Reads and writes doctors and visit slots on the platform; nothing else does. */
export function createDoctorRecords(options: DoctorRecordsOptions): DoctorRecords {
  return {
    doctors: (access, signal) => readDoctors(options, access, signal),
    slots: async (access, query) => (await readSlots(options, access, query)).slots,
    slotPage: (access, query) => readSlots(options, access, query),
    book: (access, booking) => book(options, access, booking),
  }
}

async function readSlots(options: DoctorRecordsOptions, access: RecordAccess, query: SlotQuery): ReturnType<DoctorRecords['slotPage']> {
  const { rows, isEnd } = await listAll(options.records, access, { name: 'visitSlot', query: slotQuery(query) })
  return { slots: (await normalised(options, access, { slots: rows })).slots, isEnd }
}

async function readDoctors(options: DoctorRecordsOptions, access: RecordAccess, signal?: AbortSignal): Promise<Directory['doctors']> {
  const query: ListQuery<'doctor'> = {
    byName: ['speciality', 'clinic'],
    filter: () => ({}),
    first: mostDoctors,
    ...(signal && { signal }),
  }
  const { rows } = await listAll(options.records, access, { name: 'doctor', query })
  return (await normalised(options, access, { doctors: rows })).doctors
}

/** How to read the slots of a lead inside a query for the lead: their type, what to select, and what the rows say. Null if there are none. */
export async function nestedSlots(options: Pick<DoctorRecordsOptions, 'records' | 'configuration' | 'clock'>, access: RecordAccess) {
  const object = await options.records.object(access, 'visitSlot')
  return (
    object && {
      typeName: object.typeName,
      selection: object.selection(object.fields),
      read: async (nodes: readonly Node[]): Promise<readonly VisitSlot[]> =>
        (await normalised(options, access, { slots: nodes.map((node) => object.row(node, object.fields)) })).slots,
    }
  )
}

async function normalised(
  { configuration, clock }: Pick<DoctorRecordsOptions, 'configuration' | 'clock'>,
  { workspaceId }: RecordAccess,
  { doctors = [], slots = [] }: Partial<DirectoryRecords>,
): Promise<Directory> {
  const { visits } = await configuration.read(workspaceId, 'platform')
  const at = { ...visits, now: clock.now() }
  // Eight aliases may have their answers of the platform in one round of the loop.
  await nextSlice()
  return inOrder({
    doctors: await mapInSlices(doctors, rowsAtOnce, async (some) => normaliseDirectory({ doctors: some, slots: [] }, at).doctors),
    slots: await mapInSlices(slots, rowsAtOnce, async (some) => normaliseDirectory({ doctors: [], slots: some }, at).slots),
  })
}

async function slotById(options: DoctorRecordsOptions, access: RecordAccess, slotId: string): Promise<VisitSlot | null> {
  const slots = await options.records.list(access, 'visitSlot', { filter: () => withId(slotId), first: 1 })
  return (await normalised(options, access, { slots })).slots[0] ?? null
}

async function book(options: DoctorRecordsOptions, access: RecordAccess, booking: Booking): Promise<{ readonly booked: boolean }> {
  const { slotId, leadId } = booking
  const change: FilteredChange<'visitSlot'> = {
    filter: (slot) => freeFilter(slot, { slotId, now: isoMoment(options.clock.now()) }),
    values: bookedBy(leadId),
  }
  const won = await options.records.updateWhere(access, 'visitSlot', change).then((ids) => ids.length > 0, isNotSupported)
  if (won ?? (await bookUnderLease(options, access, booking))) return { booked: true }
  const slot = await slotById(options, access, slotId)
  return { booked: slot?.state === 'BOOKED' && slot.leadId === leadId.toLowerCase() }
}

/** Platforms that cannot test and write in one step (1.3) are written by one instance at a time. */
async function bookUnderLease(options: DoctorRecordsOptions, access: RecordAccess, { slotId, leadId }: Booking): Promise<boolean> {
  const { records, log } = options
  const key = { workspaceId: access.workspaceId, slotId }
  await using lease = await bookingLease.acquire(options, key, { log })
  if (!lease) return false
  if ((await slotById(options, access, slotId))?.state !== 'FREE') return false
  lease.lost.throwIfAborted()
  return (await records.update(access, 'visitSlot', { id: slotId, values: bookedBy(leadId) })).written
}

type List<Name extends RecordName> = { readonly name: Name; readonly query: ListQuery<Name> }

/**
 * Reads page by page, up to `first`. Concurrent changes may move a record to the next page, so records are unique by id. `isEnd`: the platform
 * has no more.
 */
async function listAll<Name extends RecordName>(
  records: Records,
  access: RecordAccess,
  { name, query }: List<Name>,
): Promise<{ readonly rows: readonly Row<Name>[]; readonly isEnd: boolean }> {
  const found = new Map<string, Row<Name>>()
  for (let offset = 0; offset < query.first; offset += recordsPerRequest) {
    const first = Math.min(recordsPerRequest, query.first - offset)
    const page = await records.list(access, name, { ...query, first, offset })
    for (const row of page) found.set(row.id, row)
    if (page.length < first) return { rows: [...found.values()], isEnd: true }
  }
  return { rows: [...found.values()], isEnd: false }
}

function slotQuery({ signal, ...query }: SlotQuery): ListQuery<'visitSlot'> {
  const { first } = query
  const filter: ListQuery<'visitSlot'>['filter'] = (slot) => slotFilter(slot, query)
  return { filter, earliestBy: 'startsAt', first, ...(signal && { signal }) }
}

/** Null if the workspace lacks a field that the query needs. */
function slotFilter(slot: RecordObject<'visitSlot'>, { from, to, doctorId, leadId }: SlotQuery): Filter | null {
  const [startsAt, doctor, lead] = [slot.column('startsAt'), slot.column('doctorId'), slot.column('leadId')]
  const doctorIds = doctorId === undefined ? null : [doctorId].flat().filter(isUuid)
  if (startsAt === null || doctorIds?.length === 0) return null
  if ((doctorIds && doctor === null) || (leadId !== undefined && (lead === null || !isUuid(leadId)))) return null
  return {
    and: [
      { [startsAt]: { gte: from } },
      ...(to === undefined ? [] : [{ [startsAt]: { lt: to } }]),
      ...(doctor !== null && doctorIds ? [{ [doctor]: { in: doctorIds } }] : []),
      ...(lead !== null && leadId !== undefined ? [{ [lead]: { eq: leadId } }] : []),
    ],
  }
}

function bookedBy(leadId: string) {
  return { state: 'BOOKED', leadId }
}

/** Matches the slot if it is free and has not begun: the condition of the conditional update. */
function freeFilter(slot: RecordObject<'visitSlot'>, { slotId, now }: { slotId: string; now: string }): Filter {
  const startsAt = slot.column('startsAt')
  return { and: [{ id: { eq: slotId } }, ...(startsAt === null ? [] : [{ [startsAt]: { gt: now } }]), isFree(slot)] }
}

/** If the workspace has no states, a slot without a lead is free. */
function isFree(slot: RecordObject<'visitSlot'>): Filter {
  const [state, lead, choices] = [slot.column('state'), slot.column('leadId'), slot.choices('state')]
  const canStore = choices === null || (choices.includes('FREE') && choices.includes('BOOKED'))
  if (state !== null && canStore) return { [state]: choices ? { eq: 'FREE' } : { ilike: 'free' } }
  if (state === null && lead !== null) return { [lead]: { is: 'NULL' } }
  throw new AppError('NOT_CONFIGURED', { detail: 'The visit slots of this workspace have no states FREE and BOOKED' })
}

/** Null if the platform cannot do a conditional update; other refusals are thrown. */
function isNotSupported(error: unknown): null {
  if (error instanceof AppError && error.reason === 'PROVIDER_REFUSED' && isUnsupported(platformErrorOf(error)?.facts.kind)) return null
  throw error
}

function isUnsupported(kind: PlatformErrorKind | undefined): boolean {
  return kind === 'OTHER' || kind === 'UNKNOWN_ARGUMENT'
}
