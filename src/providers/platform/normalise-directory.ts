import { isoMoment } from '../../kernel/clock.ts'
import { localMoment } from '../../kernel/time-zone.ts'
import { doctorRecord } from '../../ports/records/doctor.ts'
import type { Directory, SlotState, VisitSlot } from '../../ports/doctors.ts'
import { readRecord } from './read-record.ts'
import type { Row } from './record-object.ts'
import { visitSlotRecord } from '../../ports/records/visit-slot.ts'

/** The rows as the platform returned them. */
export type DirectoryRecords = {
  readonly doctors: readonly Row<'doctor'>[]
  readonly slots: readonly Row<'visitSlot'>[]
}

/** The clinic's time zone, the length of a slot without an end, and the current time. */
export type Visits = { readonly timeZone: string; readonly slotMinutes: number; readonly now: number }

const minuteMs = 60_000
const longestVisitMs = 1_440 * minuteMs

/**
 * Normalises the rows of doctors and visit slots, whatever types the workspace gave their fields. Doctors by name, slots by start; a slot
 * without a start is left out.
 */
export function normaliseDirectory({ doctors, slots }: DirectoryRecords, visits: Visits): Directory {
  return inOrder({
    doctors: doctors.map((row) => readRecord(doctorRecord, row)),
    slots: slots.flatMap((slot) => visitSlotOf(slot, visits)),
  })
}

/** Doctors by name, slots by start. */
export function inOrder({ doctors, slots }: Directory): Directory {
  return { doctors: doctors.toSorted((one, other) => one.name.localeCompare(other.name, 'en')), slots: slots.toSorted(byStart) }
}

function visitSlotOf(row: Row<'visitSlot'>, { timeZone, slotMinutes, now }: Visits): VisitSlot[] {
  const slot = readRecord(visitSlotRecord, row, { timeZone })
  const start = slot.startsAt
  if (start === null) return []
  const givenEnd = slot.endsAt ?? start
  const isPlausible = givenEnd > start && givenEnd - start <= longestVisitMs
  const end = isPlausible ? givenEnd : start + slotMinutes * minuteMs
  return [
    {
      ...slot,
      startsAt: isoMoment(start),
      endsAt: isoMoment(end),
      localStartsAt: localMoment(start, timeZone),
      localEndsAt: localMoment(end, timeZone),
      timeZone,
      durationMinutes: Math.max(Math.round((end - start) / minuteMs), 1),
      state: start <= now ? 'PAST' : stateOf(row, slot),
    },
  ]
}

const stateWords: ReadonlyMap<string, SlotState> = new Map([
  ['FREE', 'FREE'],
  ['BOOKED', 'BOOKED'],
  ['CONFIRMED', 'BOOKED'],
  ['SCHEDULED', 'BOOKED'],
])

type States = { readonly state: string | null; readonly leadId: string | null }

/** If the workspace has no states, a slot with a lead is booked. An unknown state is HELD: it cannot be booked, and is no booking. */
function stateOf(row: Row<'visitSlot'>, { state, leadId }: States): SlotState {
  if (row.state === undefined) return leadId === null ? 'FREE' : 'BOOKED'
  return stateWords.get(state?.toUpperCase() ?? '') ?? 'HELD'
}

function byStart(one: VisitSlot, other: VisitSlot): number {
  return one.startsAt.localeCompare(other.startsAt) || one.id.localeCompare(other.id)
}
