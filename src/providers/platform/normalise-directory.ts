import { isoMoment } from '../../kernel/clock.ts'
import { localMoment } from '../../kernel/time-zone.ts'
import type { FragmentRecord } from './directory-fragment.ts'
import type { Directory, Doctor, SlotState, VisitSlot } from '../../ports/doctors.ts'
import { readAmount, readChoice, readId, readList, readMoment, readText, readTruth } from './field-readings.ts'

/** What the platform answered to the fragment, as it came. */
export type DirectoryRecords = {
  readonly doctors: readonly FragmentRecord<'doctor'>[]
  readonly slots: readonly FragmentRecord<'visitSlot'>[]
}

/** The clinic's time zone, how long a slot without an end is, and the moment from which slots are past. */
export type Visits = { readonly timeZone: string; readonly slotMinutes: number; readonly now: number }

const minuteMs = 60_000
const longestVisitMs = 1_440 * minuteMs

/**
 * The one normalising function: records of doctors and visit slots, however the workspace keeps them, in the form that all read. Doctors by
 * name, slots by start; a slot that says no start is left out.
 */
export function normaliseDirectory({ doctors, slots }: DirectoryRecords, visits: Visits): Directory {
  return {
    doctors: doctors.map(doctorOf).toSorted((one, other) => one.name.localeCompare(other.name, 'en')),
    slots: slots.flatMap((slot) => visitSlotOf(slot, visits)).toSorted(byStart),
  }
}

function doctorOf({ id, name, speciality, clinic, languages, fee, active }: FragmentRecord<'doctor'>): Doctor {
  return {
    id,
    name: readText(name) ?? 'Doctor',
    speciality: readChoice(speciality),
    clinic: readChoice(clinic),
    languages: readList(languages),
    fee: readAmount(fee),
    active: readTruth(active) ?? true,
  }
}

function visitSlotOf(slot: FragmentRecord<'visitSlot'>, { timeZone, slotMinutes, now }: Visits): VisitSlot[] {
  const start = readMoment(slot.startsAt, timeZone)
  if (start === null) return []
  const saidEnd = readMoment(slot.endsAt, timeZone) ?? start
  const isPlausible = saidEnd > start && saidEnd - start <= longestVisitMs
  const end = isPlausible ? saidEnd : start + slotMinutes * minuteMs
  const leadId = readId(slot.lead)
  return [
    {
      id: slot.id,
      doctorId: readId(slot.doctor),
      startsAt: isoMoment(start),
      endsAt: isoMoment(end),
      localStartsAt: localMoment(start, timeZone),
      localEndsAt: localMoment(end, timeZone),
      timeZone,
      durationMinutes: Math.max(Math.round((end - start) / minuteMs), 1),
      state: start <= now ? 'PAST' : stateOf(slot, leadId),
      leadId,
      title: readText(slot.name),
    },
  ]
}

const stateWords: ReadonlyMap<string, SlotState> = new Map([
  ['FREE', 'FREE'],
  ['BOOKED', 'BOOKED'],
  ['CONFIRMED', 'BOOKED'],
  ['SCHEDULED', 'BOOKED'],
])

/** Where the workspace keeps no states, the lead says it. A state that we do not know is never bookable, nor is it called a booking. */
function stateOf({ state }: FragmentRecord<'visitSlot'>, leadId: string | null): SlotState {
  if (state === undefined) return leadId === null ? 'FREE' : 'BOOKED'
  return stateWords.get(readText(state)?.toUpperCase() ?? '') ?? 'HELD'
}

function byStart(one: VisitSlot, other: VisitSlot): number {
  return one.startsAt.localeCompare(other.startsAt) || one.id.localeCompare(other.id)
}
