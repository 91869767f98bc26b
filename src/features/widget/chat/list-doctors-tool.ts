import { z } from 'zod'
import type { AvailableDoctor } from '../availability.ts'
import { readAvailability } from '../read-availability.ts'
import type { AssistantTool } from './assistant-context.ts'

const input = z.strictObject({
  speciality: z.string().max(100).nullable().describe('Such as Cardiology; null for all'),
  name: z.string().max(100).nullable().describe("A part of the doctor's name; null for all"),
})
const maxShown = 8
const maxSpecialities = 30

export const listDoctorsTool: AssistantTool<z.output<typeof input>> = {
  description: 'Lists the doctors of the hospital, by speciality or name. Use it before you speak of doctors.',
  input,
  async run({ ports, workspaceId, doctors: references }, { speciality, name }) {
    const { doctors } = await readAvailability(ports, workspaceId)
    const matching = doctors.filter(
      (doctor) => hasSpeciality(doctor, speciality) && words(name).every((word) => folded(doctor.name).includes(word)),
    )
    const shown = matching.slice(0, maxShown).flatMap((doctor) => {
      const ref = references.show(doctor.id)
      return ref === null ? [] : [{ ref, doctor }]
    })
    const output = {
      doctors: shown.map(({ ref, doctor }) => modelView(ref, doctor)),
      more: matching.length - shown.length,
      ...(shown.length === 0 ? { specialities: specialitiesOf(doctors) } : {}),
    }
    return { output, card: shown.length === 0 ? null : { kind: 'DOCTORS', doctors: shown.map(({ doctor }) => doctor) } }
  },
}

/** With a reference instead of the id. */
function modelView(ref: string, { name, speciality, clinic, languages, fee }: AvailableDoctor) {
  return { ref, name, speciality, clinic, languages, fee }
}

/** "Cardiologist" and "cardio" match Cardiology. */
function hasSpeciality({ speciality }: AvailableDoctor, wanted: string | null): boolean {
  const [own, asked] = [folded(speciality), folded(wanted)]
  return asked === '' || (own !== '' && (own.includes(asked) || asked.includes(own) || own.slice(0, 6) === asked.slice(0, 6)))
}

function words(text: string | null): readonly string[] {
  return folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !/^(?:dr|doctor)?$/.test(word))
}

function folded(text: string | null): string {
  return (text ?? '').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
}

function specialitiesOf(doctors: readonly AvailableDoctor[]): readonly string[] {
  return [...new Set(doctors.flatMap(({ speciality }) => speciality ?? []))].slice(0, maxSpecialities)
}
