import { z } from 'zod'
import type { OfferedDoctor } from '../availability.ts'
import type { ChatTool, Desk } from './assistant-tools.ts'

const input = z.strictObject({
  speciality: z.string().max(100).nullable().describe('Such as Cardiology; null for all'),
  name: z.string().max(100).nullable().describe("A part of the doctor's name; null for all"),
})
const mostShown = 8
const mostSpecialities = 30

export function listDoctorsTool({ workspaceId, readOffer, doctors: references }: Desk): ChatTool<z.output<typeof input>> {
  return {
    description: 'Lists the doctors of the hospital, by speciality or name. To be used before doctors are spoken of.',
    input,
    async run({ speciality, name }) {
      const { doctors } = await readOffer(workspaceId)
      const fitting = doctors.filter(
        (doctor) => isOf(doctor, speciality) && words(name).every((word) => folded(doctor.name).includes(word)),
      )
      const shown = fitting.slice(0, mostShown).flatMap((doctor) => {
        const ref = references.show(doctor.id)
        return ref === null ? [] : [{ ref, doctor }]
      })
      const output = {
        doctors: shown.map(({ ref, doctor }) => asTold(ref, doctor)),
        more: fitting.length - shown.length,
        ...(shown.length === 0 ? { specialities: specialitiesOf(doctors) } : {}),
      }
      return { output, card: shown.length === 0 ? null : { kind: 'DOCTORS', doctors: shown.map(({ doctor }) => doctor) } }
    },
  }
}

/** Without the id. */
function asTold(ref: string, { name, speciality, clinic, languages, fee }: OfferedDoctor) {
  return { ref, name, speciality, clinic, languages, fee }
}

/** "Cardiologist" and "cardio" are of Cardiology. */
function isOf({ speciality }: OfferedDoctor, wanted: string | null): boolean {
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

function specialitiesOf(doctors: readonly OfferedDoctor[]): readonly string[] {
  return [...new Set(doctors.flatMap(({ speciality }) => speciality ?? []))].slice(0, mostSpecialities)
}
