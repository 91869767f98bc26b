import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import { type Doctor, slotStates } from '../../ports/doctors.ts'
import type { Ports } from '../../ports/ports.ts'
import { asPerson, type RecordAccess } from '../../ports/record-access.ts'
import { matchesFilter } from './directory-filter.ts'

export type DirectoryFilter = z.input<typeof filterSchema>
export type DirectoryPorts = Pick<Ports, 'doctorRecords' | 'configuration' | 'clock'>

const dayMs = 86_400_000
const defaultDays = 14
const maxDays = 92

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
})
type ParsedFilter = z.output<typeof filterSchema>

/** A question about doctors and slots, before any of them is read. */
export type OpenDirectory = {
  readonly filter: ParsedFilter
  readonly access: RecordAccess
  /** ISO 8601 in UTC. */
  readonly range: { readonly from: string; readonly to: string }
  /** Reads the doctors once: those that match, and the ids of the others. Errors: the platform's. */
  readonly doctors: () => Promise<{ readonly matching: readonly Doctor[]; readonly others: ReadonlySet<string> }>
}

/** What the actor may read on the platform. Errors: INVALID_INPUT. */
export function openDirectory(ports: DirectoryPorts, { principal, accessToken }: Actor, input: DirectoryFilter): OpenDirectory {
  const filter = parseInput(filterSchema, input, 'filter')
  const access = asPerson(principal.workspaceId, accessToken)
  let reading: ReturnType<OpenDirectory['doctors']> | null = null
  const doctors = () => (reading ??= readDoctors(ports, access, filter))
  return { filter, access, range: rangeOf(filter, ports.clock.now()), doctors }
}

async function readDoctors({ doctorRecords }: DirectoryPorts, access: RecordAccess, filter: ParsedFilter) {
  const all = await doctorRecords.doctors(access)
  const matches = (doctor: Doctor): boolean => (doctor.active || filter.inactive === true) && matchesFilter(doctor, filter)
  const others = all.filter((doctor) => !matches(doctor)).map(({ id }) => id)
  return { matching: all.filter(matches), others: new Set(others) }
}

function rangeOf(filter: ParsedFilter, now: number): OpenDirectory['range'] {
  const from = filter.from ? Date.parse(filter.from) : now
  const to = filter.to ? Date.parse(filter.to) : from + defaultDays * dayMs
  if (to <= from) throw invalidInput('filter.to', 'must be after filter.from')
  if (to - from > maxDays * dayMs) throw invalidInput('filter.to', `must be at most ${maxDays} days after filter.from`)
  return { from: isoMoment(from), to: isoMoment(to) }
}
