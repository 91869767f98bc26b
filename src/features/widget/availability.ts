import type { z } from 'zod'
import { type Directory, type Doctor, doctorSchema, type VisitSlot, visitSlotSchema } from '../../ports/doctors.ts'

/** The fields of a doctor that visitors see. */
export const availableDoctorSchema = doctorSchema.pick({ id: true, name: true, speciality: true, clinic: true, languages: true, fee: true })
export type AvailableDoctor = Readonly<z.output<typeof availableDoctorSchema>>

/** The fields of a slot that visitors see. */
export const availableSlotSchema = visitSlotSchema.pick({
  id: true,
  doctorId: true,
  startsAt: true,
  endsAt: true,
  localStartsAt: true,
  durationMinutes: true,
})
export type AvailableSlot = Readonly<z.output<typeof availableSlotSchema>>

/** How far ahead visitors may book. */
export const bookableAheadMs = 14 * 86_400_000

export function availableDoctor({ id, name, speciality, clinic, languages, fee }: Doctor): AvailableDoctor {
  return { id, name, speciality, clinic, languages, fee }
}

export function availableSlot({ id, doctorId, startsAt, endsAt, localStartsAt, durationMinutes }: VisitSlot): AvailableSlot {
  return { id, doctorId, startsAt, endsAt, localStartsAt, durationMinutes }
}

/** The free slots of active doctors in the next 14 days, held or not. */
export function freeSlots({ doctors, slots }: Directory, now: number): readonly VisitSlot[] {
  const inactive = new Set(doctors.filter(({ active }) => !active).map(({ id }) => id))
  return slots.filter(({ doctorId, state, startsAt }) => {
    const startsIn = Date.parse(startsAt) - now
    return state === 'FREE' && startsIn > 0 && startsIn <= bookableAheadMs && !inactive.has(doctorId ?? '')
  })
}
