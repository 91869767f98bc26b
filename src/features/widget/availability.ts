import { z } from 'zod'
import type { Doctor, VisitSlot } from '../../ports/doctors.ts'

/** A doctor as visitors see one. */
export type OfferedDoctor = Pick<Doctor, 'id' | 'name' | 'speciality' | 'clinic' | 'languages' | 'fee'>
/** A slot as visitors see one. */
export type OfferedSlot = Pick<VisitSlot, 'id' | 'doctorId' | 'startsAt' | 'endsAt' | 'localStartsAt' | 'durationMinutes'>

/** Both as the store keeps them. */
export const offeredDoctorSchema: z.ZodType<OfferedDoctor> = z.object({
  id: z.string(),
  name: z.string(),
  speciality: z.string().nullable(),
  clinic: z.string().nullable(),
  languages: z.array(z.string()),
  fee: z.number().nullable(),
})
export const offeredSlotSchema: z.ZodType<OfferedSlot> = z.object({
  id: z.string(),
  doctorId: z.string().nullable(),
  startsAt: z.string(),
  endsAt: z.string(),
  localStartsAt: z.string(),
  durationMinutes: z.number(),
})

/** How far ahead visitors may book. */
export const offeredAheadMs = 14 * 86_400_000

export function offeredDoctor({ id, name, speciality, clinic, languages, fee }: Doctor): OfferedDoctor {
  return { id, name, speciality, clinic, languages, fee }
}

export function offeredSlot({ id, doctorId, startsAt, endsAt, localStartsAt, durationMinutes }: VisitSlot): OfferedSlot {
  return { id, doctorId, startsAt, endsAt, localStartsAt, durationMinutes }
}
