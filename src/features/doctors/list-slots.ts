import { z } from 'zod'
import { type Connection, type Found, type PageRequest, readConnection } from '../../kernel/connection.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { recordsPerRequest, type VisitSlot } from '../../ports/doctors.ts'
import type { Ports } from '../../ports/ports.ts'
import { isSelective } from './directory-filter.ts'
import type { OpenDirectory } from './open-directory.ts'

const positionSchema = z.object({ startsAt: z.iso.datetime(), id: z.string() })
type Position = z.output<typeof positionSchema>

/** For one page: seven requests to the platform. */
const mostRead = 1_400

/** A page of the slots of a directory, by start. Errors: INVALID_INPUT (also if nearly `mostRead` slots start at one moment), the platform's. */
export async function listSlots(
  ports: Pick<Ports, 'doctorRecords'>,
  directory: OpenDirectory,
  page: PageRequest,
): Promise<Connection<VisitSlot>> {
  const { workspaceId } = directory.access
  return readConnection({ name: 'slots', workspaceId, position: positionSchema }, page, (after, count) =>
    readSlots(ports, directory, { after, count }),
  )
}

async function readSlots(
  { doctorRecords }: Pick<Ports, 'doctorRecords'>,
  { access, filter, range, doctors }: OpenDirectory,
  { after, count }: { readonly after: Position | null; readonly count: number },
): Promise<Found<VisitSlot, Position>> {
  const doctorId = isSelective(filter) ? (await doctors()).matching.map(({ id }) => id) : undefined
  const entries: Found<VisitSlot, Position>['entries'][number][] = []
  const begin = after && after.startsAt > range.from ? after.startsAt : range.from
  let from = begin
  let size = Math.ceil(count / recordsPerRequest) * recordsPerRequest
  let left = mostRead
  while (left > 0) {
    const first = Math.min(size, left)
    left -= first
    const query = { ...range, from, doctorId, first }
    const [{ slots, isEnd }, { others }] = await Promise.all([doctorRecords.slotPage(access, query), doctors()])
    const last = slots.at(-1)
    // The platform may end anywhere among the slots that start at the same moment: those are read again.
    const next = slots.filter((slot) => isEnd || (last && slot.startsAt < last.startsAt))
    const isShown = (slot: VisitSlot): boolean => !others.has(slot.doctorId ?? '') && (!filter.state || slot.state === filter.state)
    const found = next.filter(isShown).map((node) => ({ node, position: { startsAt: node.startsAt, id: node.id } }))
    entries.push(
      ...found.filter(({ position }) => !after || compare(position, after) > 0).toSorted((a, b) => compare(a.position, b.position)),
    )
    if (isEnd || entries.length >= count) return { entries }
    if (last) from = last.startsAt
    if (next.length === 0) size = mostRead
  }
  if (from === begin)
    throw invalidInput('filter.from', `must be later than ${begin}: too many slots start then, or have no start that can be read`)
  return { entries, readTo: { startsAt: from, id: '' } }
}

function compare(one: Position, other: Position): number {
  return one.startsAt.localeCompare(other.startsAt) || one.id.localeCompare(other.id)
}
