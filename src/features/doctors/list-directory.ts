import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import { type Directory, slotStates, type VisitSlot } from '../../ports/doctors.ts'
import type { Ports } from '../../ports/ports.ts'
import { asPerson } from '../../ports/record-access.ts'
import { isSelective, matchesFilter } from './directory-filter.ts'

export type DirectoryFilter = z.input<typeof filterSchema>

const dayMs = 86_400_000
const defaultDays = 14
const maxDays = 92
const defaultSlots = 200
const maxSlots = 1_000

const part = z.string().trim().nullish()
const moment = z.iso.datetime({ offset: true }).nullish()
const filterSchema = z.object({
  speciality: part,
  clinic: part,
  language: part,
  search: part,
  doctorId: z.string().nullish(),
  inactive: z.boolean().nullish(),
  from: moment,
  to: moment,
  state: z.enum(slotStates).nullish(),
  first: z.int().nullish(),
})
type ParsedFilter = z.output<typeof filterSchema>

/** Doctors and visit slots that the actor may read on the platform. Errors: INVALID_INPUT, the platform's. */
export async function listDirectory(
  ports: Pick<Ports, 'doctorRecords' | 'configuration' | 'clock'>,
  { principal: { workspaceId }, accessToken }: Actor,
  input: DirectoryFilter,
): Promise<Directory & { readonly timeZone: string }> {
  const filter = parseInput(filterSchema, input, 'filter')
  const access = asPerson(workspaceId, accessToken)
  const range = rangeOf(filter, ports.clock.now())
  const first = filter.first ?? defaultSlots
  const slotsOf = async (doctorId?: readonly string[]): Promise<readonly VisitSlot[]> =>
    ports.doctorRecords.slots(access, { ...range, doctorId, first: filter.state ? maxSlots : first })
  const selective = isSelective(filter)
  const [{ visits }, allDoctors, allSlots] = await Promise.all([
    ports.configuration.read(workspaceId, 'platform'),
    ports.doctorRecords.doctors(access),
    selective ? [] : slotsOf(),
  ])
  const doctors = allDoctors.filter((doctor) => (doctor.active || filter.inactive === true) && matchesFilter(doctor, filter))
  const hidden = new Set(allDoctors.filter((doctor) => !doctors.includes(doctor)).map(({ id }) => id))
  const slots = selective ? await slotsOf(doctors.map(({ id }) => id)) : allSlots.filter(({ doctorId }) => !hidden.has(doctorId ?? ''))
  const inState = slots.filter(({ state }) => !filter.state || state === filter.state)
  return { timeZone: visits.timeZone, doctors, slots: inState.slice(0, first) }
}

function rangeOf(filter: ParsedFilter, now: number): { readonly from: string; readonly to: string } {
  const from = filter.from ? Date.parse(filter.from) : now
  const to = filter.to ? Date.parse(filter.to) : from + defaultDays * dayMs
  if (to <= from) throw invalidInput('filter.to', 'must be after filter.from')
  if (to - from > maxDays * dayMs) throw invalidInput('filter.to', `must be at most ${maxDays} days after filter.from`)
  return { from: isoMoment(from), to: isoMoment(to) }
}
