import { z } from 'zod'
import { readAvailability } from '../read-availability.ts'
import type { AssistantTool } from './assistant-context.ts'
import { formatLocalMoment } from './moments.ts'

const input = z.strictObject({
  doctor: z.string().max(20).nullable().describe('The reference of a doctor who was listed, such as D1; null for all doctors'),
  from: z.iso.date().nullable().describe("The first day by the clinic's calendar, such as 2026-11-23; null for the next free times"),
})
const maxShown = 8

export const listSlotsTool: AssistantTool<z.output<typeof input>> = {
  description: 'Lists free times, the earliest first, of one doctor or of all. Use it before you speak of times.',
  input,
  async run({ ports, workspaceId, doctors: doctorReferences, slots: slotReferences }, { doctor, from }) {
    const doctorId = doctor === null ? null : doctorReferences.idOf(doctor)
    if (doctor !== null && doctorId === null) {
      return { output: { slots: [], why: 'No such doctor was shown in this conversation: list the doctors first.' }, card: null }
    }
    const { timeZone, doctors, slots } = await readAvailability(ports, workspaceId)
    const names = new Map(doctors.map(({ id, name }) => [id, name]))
    const free = slots.filter(
      (slot) => (doctorId === null || slot.doctorId === doctorId) && (from === null || slot.localStartsAt.slice(0, 10) >= from),
    )
    const shown = free.slice(0, maxShown).flatMap((slot) => {
      const ref = slotReferences.show(slot.id)
      return ref === null ? [] : [{ ref, slot }]
    })
    const output = {
      timeZone,
      slots: shown.map(({ ref, slot }) => ({
        ref,
        when: formatLocalMoment(slot.localStartsAt),
        minutes: slot.durationMinutes,
        doctor: names.get(slot.doctorId ?? '') ?? null,
      })),
      more: free.length - shown.length,
    }
    return { output, card: shown.length === 0 ? null : { kind: 'SLOTS', timeZone, slots: shown.map(({ slot }) => slot) } }
  },
}
