import type { Doctor } from '../../ports/doctor.ts'

/** What a doctor is asked for by; what is left out or empty fits all. */
export type DoctorFilter = {
  readonly doctorId?: string | null | undefined
  readonly speciality?: string | null | undefined
  readonly clinic?: string | null | undefined
  readonly language?: string | null | undefined
  readonly search?: string | null | undefined
}

/** Whether anything is asked that not every doctor fits. */
export function asksForSome(filter: DoctorFilter): boolean {
  const { doctorId, speciality, clinic, language, search } = filter
  return [doctorId, speciality, clinic, language, search].some((part) => part !== null && part !== undefined && part !== '')
}

/** Case and accents do not count; parts of texts fit, languages fit as a whole, of `search` every word must stand somewhere. */
export function fitsFilter({ id, name, speciality, clinic, languages }: Doctor, filter: DoctorFilter): boolean {
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
