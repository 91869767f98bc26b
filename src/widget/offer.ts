import type { Doctor } from '../doctors/doctor.ts'
import type { VisitSlot } from '../doctors/visit-slot.ts'

/** A doctor as visitors see one. */
export type OfferedDoctor = Pick<Doctor, 'id' | 'name' | 'speciality' | 'clinic' | 'languages' | 'fee'>
/** A slot as visitors see one. */
export type OfferedSlot = Pick<VisitSlot, 'id' | 'doctorId' | 'startsAt' | 'endsAt' | 'localStartsAt' | 'durationMinutes'>

/** How far ahead visitors may book. */
export const offeredAheadMs = 14 * 86_400_000

export function offeredDoctor({ id, name, speciality, clinic, languages, fee }: Doctor): OfferedDoctor {
  return { id, name, speciality, clinic, languages, fee }
}

export function offeredSlot({ id, doctorId, startsAt, endsAt, localStartsAt, durationMinutes }: VisitSlot): OfferedSlot {
  return { id, doctorId, startsAt, endsAt, localStartsAt, durationMinutes }
}
