import { z } from 'zod'
import { inWords } from './moments.ts'
import type { ChatTool, Desk } from './assistant-tools.ts'

const input = z.strictObject({
  doctor: z.string().max(20).nullable().describe('The reference of a doctor who was listed, such as D1; null for all doctors'),
  from: z.iso.date().nullable().describe("The first day by the clinic's calendar, such as 2026-11-23; null for the next free times"),
})
const mostShown = 8

export function listSlotsTool({ workspaceId, readOffer, doctors: known, slots: references }: Desk): ChatTool<z.output<typeof input>> {
  return {
    description: 'Lists free times, the earliest first, of one doctor or of all. To be used before times are spoken of.',
    input,
    async run({ doctor, from }) {
      const doctorId = doctor === null ? null : known.idOf(doctor)
      if (doctor !== null && doctorId === null) {
        return { output: { slots: [], why: 'No such doctor was shown in this talk: list the doctors first.' }, card: null }
      }
      const { timeZone, doctors, slots } = await readOffer(workspaceId)
      const names = new Map(doctors.map(({ id, name }) => [id, name]))
      const free = slots.filter(
        (slot) => (doctorId === null || slot.doctorId === doctorId) && (from === null || slot.localStartsAt.slice(0, 10) >= from),
      )
      const shown = free.slice(0, mostShown).flatMap((slot) => {
        const ref = references.show(slot.id)
        return ref === null ? [] : [{ ref, slot }]
      })
      const output = {
        timeZone,
        slots: shown.map(({ ref, slot }) => ({
          ref,
          when: inWords(slot.localStartsAt),
          minutes: slot.durationMinutes,
          doctor: names.get(slot.doctorId ?? '') ?? null,
        })),
        more: free.length - shown.length,
      }
      return { output, card: shown.length === 0 ? null : { kind: 'SLOTS', timeZone, slots: shown.map(({ slot }) => slot) } }
    },
  }
}
