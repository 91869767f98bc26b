import type { Doctor } from '../../ports/doctors.ts'

/** An omitted, null or empty part matches every doctor. */
export type DoctorFilter = {
  readonly doctorId?: string | null | undefined
  readonly speciality?: string | null | undefined
  readonly clinic?: string | null | undefined
  readonly language?: string | null | undefined
  readonly search?: string | null | undefined
}

/** Whether the filter may exclude a doctor. */
export function isSelective(filter: DoctorFilter): boolean {
  const { doctorId, speciality, clinic, language, search } = filter
  return [doctorId, speciality, clinic, language, search].some((part) => part !== null && part !== undefined && part !== '')
}

/**
 * Ignores case and accents. Speciality and clinic match a part of the text, a language matches as a whole. Each word of `search` must occur
 * in the name, speciality or clinic.
 */
export function matchesFilter({ id, name, speciality, clinic, languages }: Doctor, filter: DoctorFilter): boolean {
  const words = folded(filter.search).split(/\s+/)
  const text = folded([name, speciality, clinic].join(' '))
  return (
    (!filter.doctorId || id === filter.doctorId.toLowerCase()) &&
    folded(speciality).includes(folded(filter.speciality)) &&
    folded(clinic).includes(folded(filter.clinic)) &&
    (!filter.language || languages.some((language) => folded(language) === folded(filter.language))) &&
    words.every((word) => text.includes(word))
  )
}

function folded(text: string | null | undefined): string {
  return (text ?? '').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
}
