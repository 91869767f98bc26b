import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { pageSize, parseInput } from '../../kernel/input.ts'
import { asPerson } from '../../ports/record-access.ts'
import { asksForSome, fitsFilter } from './directory-filter.ts'
import type { Directory } from '../../ports/doctors.ts'
import type { Ports } from '../../ports/ports.ts'
import { slotStates, type VisitSlot } from '../../ports/visit-slot.ts'

export type DirectoryQuestion = z.input<typeof questionSchema>

const dayMs = 86_400_000
const usualDays = 14
const mostDays = 92
const usualSlots = 200
const mostSlots = 1_000

const part = z.string().trim().max(200).nullish()
const moment = z.iso.datetime({ offset: true }).nullish()
const questionSchema = z.object({
  speciality: part,
  clinic: part,
  language: part,
  search: part,
  doctorId: z.guid('must be the id of a doctor').nullish(),
  inactive: z.boolean().nullish(),
  from: moment,
  to: moment,
  state: z.enum(slotStates).nullish(),
  first: pageSize(mostSlots).nullish(),
})
type Asked = z.output<typeof questionSchema>

/** Doctors and visit slots as the actor may read them on the platform. Errors: INVALID_INPUT, the platform's. */
export async function listDirectory(
  ports: Pick<Ports, 'doctorRecords' | 'configuration' | 'clock'>,
  { principal: { workspaceId }, accessToken }: Actor,
  question: DirectoryQuestion,
): Promise<Directory & { readonly timeZone: string }> {
  const asked = parseInput(questionSchema, question, 'filter')
  const access = asPerson(workspaceId, accessToken)
  const dates = datesOf(asked, ports.clock.now())
  const first = asked.first ?? usualSlots
  const slotsOf = async (doctorId?: readonly string[]): Promise<readonly VisitSlot[]> =>
    ports.doctorRecords.slots(access, { ...dates, doctorId, first: asked.state ? mostSlots : first })
  const ofSome = asksForSome(asked)
  const [{ visits }, allDoctors, allSlots] = await Promise.all([
    ports.configuration.read(workspaceId, 'platform'),
    ports.doctorRecords.doctors(access),
    ofSome ? [] : slotsOf(),
  ])
  const shown = allDoctors.filter((doctor) => (doctor.active || asked.inactive === true) && fitsFilter(doctor, asked))
  const hidden = new Set(allDoctors.filter((doctor) => !shown.includes(doctor)).map(({ id }) => id))
  const slots = ofSome ? await slotsOf(shown.map(({ id }) => id)) : allSlots.filter(({ doctorId }) => !hidden.has(doctorId ?? ''))
  const wanted = slots.filter(({ state }) => !asked.state || state === asked.state)
  return { timeZone: visits.timeZone, doctors: shown, slots: wanted.slice(0, first) }
}

function datesOf({ from: saidFrom, to: saidTo }: Asked, now: number): { readonly from: string; readonly to: string } {
  const from = saidFrom ? Date.parse(saidFrom) : now
  const to = saidTo ? Date.parse(saidTo) : from + usualDays * dayMs
  if (to <= from) throw invalidInput('filter.to', 'must be after filter.from')
  if (to - from > mostDays * dayMs) throw invalidInput('filter.to', `must be at most ${mostDays} days after filter.from`)
  return { from: isoMoment(from), to: isoMoment(to) }
}
